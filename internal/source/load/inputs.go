//go:build go1.25

package load

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A binary need not be built again if everything that it is built from is the same. Inputs
// knows what that is: the settings of the go command, the tools, and the files of all
// packages. Files count by content. The standard library counts by the version of Go, and a
// module in the module cache by its own version, as in the go command.
//
// An old binary in place of a new one would be a wrong test result. So where it is not certain
// that all inputs are known there is no key, and the go command is asked. These cases are: a
// development version of Go, a flag in GOFLAGS that is not in plainFlags, and tests that use a
// package outside the standard library with C, C++, Objective-C, Fortran or SWIG, because a C
// compiler reads headers and libraries that no list contains.

// Inputs is the state of everything that test binaries are built from, at one time.
type Inputs struct {
	listing  *Listing
	settings []string          // what holds for all packages
	sums     map[string]string // file -> checksum of its content
	cache    string            // the module cache
	err      error             // why there are no keys
}

// plainFlags lists the flags in GOFLAGS that only choose files and settings which Inputs knows.
// With others, such as -toolexec or -ldflags, the go command may read any file.
var plainFlags = []string{"tags", "race", "msan", "asan", "mod", "trimpath", "buildvcs", "p", "modcacherw"}

// compilerVariables lists variables that are not in go env, but which the tools of the go
// command or a C compiler read.
var compilerVariables = []string{
	"GO_EXTLINK_ENABLED", "GO_GCFLAGS", "GO_LDFLAGS", "GO_LDSO", "GOCLOBBERDEADHASH", "GOSSAFUNC", "GOSSAHASH", "GOCOMPILEDEBUG",
	"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_RUN_PATH",
	"SDKROOT", "MACOSX_DEPLOYMENT_TARGET",
}

// Inputs reads the state of all inputs.
func (l *Listing) Inputs() *Inputs {
	in := &Inputs{listing: l, sums: map[string]string{}}
	if err := in.readSettings(); err != nil {
		in.err = err
		return in
	}
	in.readModules()
	return in
}

// readSettings reads the environment, and identifies the tools.
func (in *Inputs) readSettings() error {
	c := in.listing.config
	out, err := c.Go("env", "-json")
	if err != nil {
		return err
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	delete(env, "GOGCCFLAGS") // contains the name of a temporary folder, and follows from others
	if !strings.HasPrefix(env["GOVERSION"], "go1.") {
		return errors.New("a development version of Go")
	}
	flags, ok := splitFlags(env["GOFLAGS"])
	for _, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		ok = ok && slices.Contains(plainFlags, name)
	}
	if !ok {
		return fmt.Errorf("GOFLAGS=%s", env["GOFLAGS"])
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	in.cache = env["GOMODCACHE"]
	in.set("folder", dir, "flags", c.Building(), "all", c.All, "main", c.Main)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		in.set(name, env[name])
	}
	given := os.Environ()
	for _, v := range append(given[:len(given):len(given)], c.Env...) {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(compilerVariables, name) {
			in.set(v)
		}
	}
	for _, tool := range []string{"go", env["CC"], env["CXX"], env["AR"]} {
		in.tool(tool)
	}
	for _, tool := range []string{"compile", "link", "asm", "cgo"} {
		in.tool(filepath.Join(env["GOTOOLDIR"], tool+env["GOEXE"]))
	}
	if filepath.IsAbs(env["GOWORK"]) {
		in.sumAll(env["GOWORK"], env["GOWORK"]+".sum", filepath.Join(filepath.Dir(env["GOWORK"]), "vendor", "modules.txt"))
	}
	return nil
}

func (in *Inputs) set(values ...any) { in.settings = append(in.settings, fmt.Sprintf("%q", values)) }

// tool adds the file of a tool, by its size and its time.
func (in *Inputs) tool(command string) {
	name, _, _ := strings.Cut(command, " ")
	file, err := exec.LookPath(name)
	if err != nil {
		in.set(command, "is not there")
		return
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	info, err := os.Stat(file)
	if err != nil {
		in.err = err
		return
	}
	in.set(command, file, info.Size(), info.ModTime().UnixNano())
}

// readModules adds the files of all modules that are not in the module cache: go.mod, go.sum and
// the list of vendored packages.
func (in *Inputs) readModules() {
	seen := map[string]bool{}
	for _, p := range in.listing.all {
		if m := p.Module; m != nil && m.GoMod != "" && !seen[m.GoMod] && !below(in.cache, m.GoMod) {
			seen[m.GoMod] = true
			in.sumAll(m.GoMod, strings.TrimSuffix(m.GoMod, ".mod")+".sum", filepath.Join(filepath.Dir(m.GoMod), "vendor", "modules.txt"))
		}
	}
}

// sumAll adds the contents of files to the settings.
func (in *Inputs) sumAll(files ...string) {
	for _, file := range files {
		in.set(file, in.sum(file))
	}
}

// sum returns the checksum of a file. A missing file counts differently from an empty one.
func (in *Inputs) sum(file string) string {
	if s, ok := in.sums[file]; ok {
		return s
	}
	content, err := os.ReadFile(file)
	s := "not there"
	switch {
	case err == nil:
		all := sha256.Sum256(content)
		s = hex.EncodeToString(all[:])
	case !errors.Is(err, fs.ErrNotExist):
		in.err = err
	}
	in.sums[file] = s
	return s
}

// Keys returns a function that returns the key of the tests of a package: a checksum of
// everything that their binary is built from with these flags, if the go command reads other
// files in place of some. replace contains these. The function returns "" if not everything is
// known.
func (in *Inputs) Keys(replace map[string]string, flags []string) func(test string) string {
	byDir := map[string][]string{}
	for _, file := range slices.Sorted(maps.Keys(replace)) {
		byDir[filepath.Dir(file)] = append(byDir[filepath.Dir(file)], file)
	}
	keys := map[string]string{}
	own := map[string]bool{}
	for _, p := range in.listing.all {
		own[p.Dir] = true
		keys[p.ImportPath] = in.key(p, keys, byDir[p.Dir], replace)
	}
	common := fmt.Sprintf("%q %q", in.settings, flags)
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		for _, file := range byDir[dir] {
			if !own[dir] {
				common += fmt.Sprintf("\n%q %s", file, in.sum(replace[file]))
			}
		}
	}
	return func(test string) string {
		name := test + ".test"
		if in.listing.config.Main || keys[name] == "" || in.err != nil {
			return ""
		}
		return checksum(common + "\n" + keys[name])
	}
}

// key returns the checksum of a package and of everything that it imports. The overlay contains
// the files of its folder that replace names.
func (in *Inputs) key(p *listed, keys map[string]string, overlay []string, replace map[string]string) string {
	if !p.Standard && len(slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.FFiles, p.SwigFiles, p.SwigCXXFiles)) > 0 {
		return ""
	}
	listed, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	lines := []string{string(listed)}
	for _, name := range p.Imports {
		switch key, known := keys[name]; {
		case known && key == "", !known && name != "C":
			return ""
		default:
			lines = append(lines, key)
		}
	}
	for _, file := range overlay {
		if p.ForTest != p.path() && strings.HasSuffix(file, "_test.go") {
			continue // only the package for its own tests is built from it
		}
		lines = append(lines, fmt.Sprintf("%q %s", file, in.sum(replace[file])))
	}
	for _, file := range in.files(p) {
		if replace[file] == "" {
			lines = append(lines, fmt.Sprintf("%q %s", file, in.sum(file)))
		}
	}
	return checksum(strings.Join(lines, "\n"))
}

// files returns the files of a package that may change: none, if a version identifies them.
func (in *Inputs) files(p *listed) (files []string) {
	if p.Standard || below(in.cache, p.Dir) || strings.HasSuffix(p.ImportPath, ".test") {
		return nil
	}
	for _, name := range slices.Concat(p.GoFiles, p.HFiles, p.SFiles, p.SysoFiles, p.EmbedFiles) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		files = append(files, name)
	}
	if p.Name == "main" {
		files = append(files, filepath.Join(p.Dir, "default.pgo"))
	}
	return files
}

// Same reports whether the state is the same as at an earlier time, and nothing has changed
// between: if a file was changed while the go command ran, and then changed back, the go command
// may have read the other version. A new file changes the time of its folder.
func (in *Inputs) Same(earlier *Inputs) bool {
	if in.err != nil || earlier.err != nil || !slices.Equal(in.settings, earlier.settings) {
		return false
	}
	for file, was := range earlier.sums {
		if in.sum(file) != was {
			return false
		}
	}
	seen := map[string]bool{}
	for _, p := range in.listing.all {
		for _, file := range in.files(p) {
			for below(p.Dir, file) && !seen[file] {
				seen[file] = true
				if !in.listing.older(file) {
					return false
				}
				file = filepath.Dir(file)
			}
		}
	}
	return in.err == nil
}

// older reports whether a file or folder was last changed before go list was run. The time of
// a file is that of the last tick of the system's clock, or coarser: in whole seconds.
func (l *Listing) older(file string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	slack := tick
	if info.ModTime().Nanosecond() == 0 {
		slack = coarseTick
	}
	return info.ModTime().Add(slack).Before(l.began)
}

const (
	tick       = 20 * time.Millisecond
	coarseTick = 2 * time.Second
)

func checksum(text string) string {
	all := sha256.Sum256([]byte(text))
	return hex.EncodeToString(all[:])
}
