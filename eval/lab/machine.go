package lab

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Machine describes in one line the kind of machine on which the numbers were
// measured. It does not identify the machine.
func Machine() string {
	// On other systems than Linux the files are missing, and the line has "unknown".
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	meminfo, _ := os.ReadFile("/proc/meminfo")
	return fmt.Sprintf("%s, %d cores, %s, %s, %s/%s", cpuModel(string(cpuinfo)), runtime.NumCPU(),
		memory(string(meminfo)), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func cpuModel(cpuinfo string) string {
	if model := field(cpuinfo, "model name"); model != "" {
		return model
	}
	return "unknown CPU"
}

func memory(meminfo string) string {
	kB, err := strconv.Atoi(strings.TrimSuffix(field(meminfo, "MemTotal"), " kB"))
	if err != nil {
		return "unknown memory"
	}
	const kBPerGiB = 1 << 20
	return fmt.Sprintf("%.1f GiB", float64(kB)/kBPerGiB)
}

// field returns the value of the first "name : value" line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Versions returns the versions of the modules in this binary, and of Go.
func Versions() map[string]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return map[string]string{"go": runtime.Version()}
	}
	return versions(info)
}

func versions(info *debug.BuildInfo) map[string]string {
	all := map[string]string{"go": info.GoVersion}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != "" {
			all[m.Path] = version(m)
		}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			all[s.Key] = s.Value
		}
	}
	return all
}

// version returns "local" for a module in a local folder: its v0.0.0 would look like
// a release, and the path of the folder is private.
func version(m *debug.Module) string {
	switch {
	case m.Replace == nil:
		return m.Version
	case m.Replace.Version == "" || m.Replace.Version == "(devel)":
		return "local"
	}
	return m.Replace.Path + " " + m.Replace.Version
}

// Stat returns the fields of /proc/PID/stat that follow the name of the program: the
// state, the parent and so on. It skips the name because a name may contain spaces and
// parentheses. It returns nil if there is no such process.
func Stat(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	text := string(data)
	return strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
}
