package killed

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/internal/store/corpus"
)

// state holds everything that a campaign has stored.
type state struct {
	cases    map[string]string // files in testdata -> content
	findings map[string]int    // property -> number of its case files
	kept     map[string]string // property and ID -> input in the corpus
	slots    int               // slot files that killed processes left
	damaged  int
	problems []string
}

// read reads all files of a campaign.
func read(m *scratch.Module) (state, error) {
	s := state{cases: map[string]string{}, findings: map[string]int{}, kept: map[string]string{}}
	if err := s.readCases(filepath.Join(m.Dir(), "testdata")); err != nil {
		return s, err
	}
	root := filepath.Join(m.Cache(), "allele", "corpus")
	places, err := corpus.List(root)
	if err != nil {
		return s, err
	}
	for _, p := range places {
		c, err := corpus.Read(p.Dir)
		if err != nil {
			return s, err
		}
		s.damaged += c.Damaged
		for _, e := range c.Entries {
			s.kept[p.Property+" "+e.ID()] = e.Input
		}
	}
	slots, err := filepath.Glob(filepath.Join(root, "*", "*", "*.slot"))
	s.slots = len(slots)
	return s, err
}

// readCases reads the case files. A file that is being written has a different name;
// a killed campaign may leave such a file, which does no harm.
func (s *state) readCases(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".case") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		head, body, _ := bytes.Cut(data, []byte("\n\n"))
		if !bytes.HasPrefix(head, []byte("// allele case 1\n// test ")) ||
			!bytes.HasSuffix(body, []byte("\n")) || len(bytes.TrimSpace(body)) == 0 {
			s.problems = append(s.problems, fmt.Sprintf("%s is incomplete: %q", path, data))
		}
		s.cases[path] = string(data)
		s.findings[filepath.Base(filepath.Dir(path))]++
		return nil
	})
}

// large is a number of inputs from which on a corpus may have been full in between. Then it has dropped
// inputs that are not needed, and has less than the 1500 at which that happens.
const large = 300

// inputs returns how many inputs each property has.
func (s state) inputs() map[string]int {
	n := map[string]int{}
	for id := range s.kept {
		property, _, _ := strings.Cut(id, " ")
		n[property]++
	}
	return n
}

// missingIn returns descriptions of the saved inputs and the findings that are missing in
// a later state. A finding may have a different file later, if it was shrunk. So only its
// property is checked, which must still have a file.
func (s state) missingIn(now state) (lost []string) {
	before, after := s.inputs(), now.inputs()
	for id, input := range s.kept {
		property, _, _ := strings.Cut(id, " ")
		text, ok := now.kept[id]
		if drops := max(before[property], after[property]) >= large; ok && text != input || !ok && !drops {
			lost = append(lost, "saved input "+id+" is missing")
		}
	}
	for property := range s.findings {
		if now.findings[property] == 0 {
			lost = append(lost, "the finding of "+property+" is missing")
		}
	}
	return lost
}

// children returns the IDs of the child processes of a process.
func children(of int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if fields := lab.Stat(pid); err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(of) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// waitGone waits until no process has its working directory in a folder: the system
// kills the processes of a killed command, but not immediately.
func waitGone(dir string) {
	for range 500 {
		busy := false
		cwds, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, link := range cwds {
			if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
				busy = true
			}
		}
		if !busy {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
