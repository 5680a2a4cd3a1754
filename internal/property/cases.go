package property

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Seed is an input to try first.
type Seed struct {
	Term   term.Term
	From   string // what to call it
	File   string // its case file; empty for an Example
	Shrunk bool
	Saved  bool // its file says that it passed
	Runs   codec.Runs
}

// Seeds gathers the examples and the stored cases. It reports false if one
// cannot be used, because a regression test that silently stops testing is
// worse than none.
func (p *Property) Seeds() (seeds []Seed, ok bool) {
	p.TB.Helper()
	ok = true
	for i, v := range p.Settings.Examples {
		x, err := p.example(v)
		if err != nil {
			p.TB.Errorf("allele: Example %d: %v", i+1, err)
			ok = false
			continue
		}
		seeds = append(seeds, Seed{Term: x, From: fmt.Sprintf("Example %d", i+1)})
	}
	entries, err := os.ReadDir(At(p.Place.Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		p.TB.Errorf("allele: %v", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".case") {
			continue
		}
		file := filepath.Join(p.Place.Dir, e.Name())
		s, mine, err := p.Load(file)
		if err != nil {
			hint := ""
			if p.Job.Mode == job.Plain {
				hint = "\nif allele test has stored it, go test does not know the functions that made it: go tool allele facts -write"
			}
			p.TB.Errorf("allele: cannot read a stored case: %v\nmend the file, or delete it if it is not needed any more%s", err, hint)
			ok = false
		} else if mine {
			seeds = append(seeds, s)
		}
	}
	return seeds, ok
}

// Load reads a case file if it belongs here, which one written by hand need not
// say.
func (p *Property) Load(file string) (s Seed, mine bool, err error) {
	p.TB.Helper()
	return p.LoadIf(file, func(test string) bool { return test == p.Name })
}

// LoadIf reads a case file if the test it names belongs here. A field that the type
// has no more is left out and told; anything else that does not fit would make it
// another input than was meant.
func (p *Property) LoadIf(file string, belongs func(test string) bool) (s Seed, mine bool, err error) {
	p.TB.Helper()
	data, err := read(file)
	if err != nil {
		return s, false, err
	}
	if h, err := codec.ReadHeader(file, data); err != nil {
		return s, false, err
	} else if h.Test != "" && !belongs(h.Test) {
		p.Say("%s belongs to %s", file, h.Test)
		return s, false, nil
	}
	k, err := codec.Decode(p.World, file, data, p.Place.Src)
	if err != nil {
		return s, false, err
	}
	for _, l := range k.Losses {
		if !l.Gone {
			return s, false, fmt.Errorf("%s:%s", file, l)
		}
		p.TB.Logf("allele: %s:%s", file, l)
	}
	runs, err := codec.ParseRuns(k.Header.Runs)
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", file, err)
	}
	saved := k.Header.Verdict == string(event.Passed)
	return Seed{Term: k.Term, From: file, File: file, Shrunk: k.Header.Shrunk != "", Saved: saved, Runs: runs}, true, nil
}

// readMax is one byte more than a case file may have, so that a longer one is
// refused without being read whole.
const readMax = 16<<20 + 1

func read(file string) ([]byte, error) {
	// A pipe, say, would keep us waiting.
	if info, err := os.Stat(At(file)); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s:1: not a regular file", file)
	}
	f, err := os.Open(At(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, readMax))
}

// CaseText is a term as case files have it.
func (p *Property) CaseText(x term.Term) string {
	style := p.Place.Style()
	style.Case = true
	return codec.Print(p.World, x, style).Expr
}

// Store writes a case to a file of the property's folder.
func (p *Property) Store(file string, h codec.Header, x term.Term) error {
	data := codec.Encode(h, p.CaseText(x))
	if len(data) >= readMax {
		return fmt.Errorf("the input takes %s bytes as text, more than a case may have", words.Group(len(data)))
	}
	return p.Place.Write(file, data)
}

// FailFile is where an input is stored that fails.
func (p *Property) FailFile(x term.Term) string {
	return filepath.Join(p.Place.Dir, "fail-"+p.Mark(x)+".case")
}

// SavedFile is where an input is stored that passes.
func (p *Property) SavedFile(x term.Term) string {
	return filepath.Join(p.Place.Dir, savedPrefix+p.Mark(x)+".case")
}

// savedPrefix tells saved cases from findings and from what people write.
const savedPrefix = "keep-"

// SavedFiles are the saved cases there are.
func (p *Property) SavedFiles() (files []string) {
	found, _ := filepath.Glob(filepath.Join(globbed(At(p.Place.Dir)), savedPrefix+"*.case"))
	for _, file := range found {
		files = append(files, filepath.Join(p.Place.Dir, filepath.Base(file)))
	}
	return files
}

// globbed quotes a path for Glob.
func globbed(path string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// ParseKept reads an input that another binary may have written. One that does not fit
// the type any more is left out.
func (p *Property) ParseKept(input string) (term.Term, bool) { return p.Place.parse(p.World, input) }

// parse reads an input as a term of some world.
func (p *Place) parse(w *schema.World, input string) (term.Term, bool) {
	k, err := codec.Decode(w, "kept", []byte(input), p.Src)
	return k.Term, err == nil && len(k.Losses) == 0
}

// PlainReader tells whether plain go test can read a case: it cannot if the case has a
// variant of an interface that only the source tells. To save it would turn a test that
// passes into one that fails.
func (p *Property) PlainReader() func(x term.Term) bool {
	facts := len(known())
	if facts == 0 {
		return func(term.Term) bool { return true }
	}
	plain, err := schema.Derive(p.World.Root.Type, p.Settings.Decls[facts:])
	if err != nil {
		return func(term.Term) bool { return true } // then go test says so
	}
	return func(x term.Term) bool {
		_, ok := p.Place.parse(plain, p.CaseText(x))
		return ok
	}
}
