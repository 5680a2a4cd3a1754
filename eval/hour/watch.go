package hour

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// process is a process of the campaign.
type process struct {
	pid      int
	exe      string // empty if it cannot be read
	rss, pss float64
}

// sample holds the resources that a campaign uses at one moment.
type sample struct {
	at        float64 // seconds since the first half began
	processes int
	command   float64 // resident memory of the command in MB
	all       float64 // resident memory of all processes in MB
	once      float64 // the same, but each shared page counts once; 0 if the system does not report it
	largest   float64 // resident memory of the largest process except the command, in MB
	whose     string  // name of the program that this largest process runs
	kept      float64 // size of the corpus on disk, in MB
	cache     float64 // size of the whole cache on disk, in MB
}

const mb = 1 << 20

// measure takes a sample of the campaign whose files are below root.
func measure(root string, command int) sample {
	var s sample
	for _, p := range processesOf(root, command) {
		p.rss, p.pss = memory(p.pid)
		s.processes++
		s.all += p.rss
		s.once += p.pss
		if p.pid == command {
			s.command = p.rss
		} else if p.rss > s.largest {
			s.largest, s.whose = p.rss, filepath.Base(p.exe)
		}
	}
	cache := filepath.Join(root, "cache")
	s.cache, s.kept = size(cache)/mb, size(filepath.Join(cache, "allele", "corpus"))/mb
	return s
}

// processesOf returns the command, the processes whose program or working directory
// is below root, and all their descendants.
func processesOf(root string, command int) (all []process) {
	parent := map[int]int{}
	exe := map[int]string{}
	ours := map[int]bool{}
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the only possible error is a bad pattern
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		stat := lab.Stat(pid)
		if err != nil || len(stat) < 2 || stat[0] == "Z" {
			continue
		}
		parent[pid], _ = strconv.Atoi(stat[1])
		exe[pid], _ = os.Readlink(filepath.Join(dir, "exe"))
		cwd, _ := os.Readlink(filepath.Join(dir, "cwd"))
		ours[pid] = pid == command || below(root, exe[pid]) || below(root, cwd)
	}
	for pid := range parent {
		for at := pid; at != 0; at = parent[at] { // parent[at] is also 0 if at has exited
			if ours[at] {
				all = append(all, process{pid: pid, exe: exe[pid]})
				break
			}
		}
	}
	return all
}

func below(root, path string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// memory returns the resident memory of a process in MB. A page that several processes
// share counts in full for rss, and in equal parts for pss.
func memory(pid int) (rss, pss float64) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	if text, err := os.ReadFile(filepath.Join(dir, "smaps_rollup")); err == nil && len(text) > 0 {
		return kB(string(text), "Rss:") / 1024, kB(string(text), "Pss:") / 1024
	}
	text, _ := os.ReadFile(filepath.Join(dir, "status")) // the text is empty if the process has exited
	return kB(string(text), "VmRSS:") / 1024, 0
}

func kB(text, name string) float64 {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == name {
			n, _ := strconv.ParseFloat(f[1], 64)
			return n
		}
	}
	return 0
}

// size returns the number of bytes of all files in a folder. It ignores files that are
// removed while it runs.
func size(dir string) (bytes float64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += float64(info.Size())
		}
		return nil
	})
	return bytes
}
