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
	From   string // the name of the seed in reports
	File   string // the case file; empty for an Example
	Shrunk bool
	Saved  bool // the seed is a case file with the verdict passed
	Runs   codec.Runs
}

// Seeds returns the examples and the stored cases. It reports false if one of them
// cannot be used, because a regression test that silently stops testing is worse than
// none.
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
				hint = "\nif allele test stored it, go test may not know the functions that build it; " +
					"declare them with: go tool allele facts -write"
			}
			p.TB.Errorf("allele: cannot read a stored case: %v\nfix or delete this file%s", err, hint)
			ok = false
		} else if mine {
			seeds = append(seeds, s)
		}
	}
	return seeds, ok
}

// Load reads a case file if it belongs to this property. A file that names no test, because
// it was written by hand, belongs to the property whose folder it is in.
func (p *Property) Load(file string) (s Seed, mine bool, err error) {
	p.TB.Helper()
	return p.LoadIf(file, func(test string) bool { return test == p.Name })
}

// LoadIf reads a case file if belongs accepts the test that the file names. A field that
// the type no longer has is left out and logged. Anything else that does not fit is an
// error, because leaving it out would change the input.
func (p *Property) LoadIf(file string, belongs func(test string) bool) (s Seed, mine bool, err error) {
	p.TB.Helper()
	data, err := read(file)
	if err != nil {
		return s, false, err
	}
	if h, err := codec.ReadHeader(file, data); err != nil {
		return s, false, err
	} else if h.Test != "" && !belongs(h.Test) {
		p.Logf("%s belongs to %s", file, h.Test)
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

// fileMax is the maximal size of a case file. readMax is one byte more, so that a longer
// file is rejected without being read whole.
const (
	fileMax = 16 << 20
	readMax = fileMax + 1
)

func read(file string) ([]byte, error) {
	// Reading a pipe, for example, could block.
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

// CaseText returns a term as it is written in case files.
func (p *Property) CaseText(x term.Term) string {
	style := p.Place.Style()
	style.Case = true
	return codec.Print(p.World, x, style).Expr
}

// Store writes a case to a file in the property's folder.
func (p *Property) Store(file string, h codec.Header, x term.Term) error {
	data := codec.Encode(h, p.CaseText(x))
	if len(data) >= readMax {
		return fmt.Errorf("the input takes %s bytes as text; a case file may have at most %s", words.Group(len(data)), words.Group(fileMax))
	}
	return p.Place.Write(file, data)
}

// FailFile returns the file for an input that fails.
func (p *Property) FailFile(x term.Term) string {
	return filepath.Join(p.Place.Dir, "fail-"+p.Mark(x)+".case")
}

// SavedFile returns the file for an input that passes.
func (p *Property) SavedFile(x term.Term) string {
	return filepath.Join(p.Place.Dir, savedPrefix+p.Mark(x)+".case")
}

// savedPrefix distinguishes case files that pass from findings and from files that people
// write.
const savedPrefix = "keep-"

// SavedFiles returns the existing case files that SavedFile names.
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

// ParseKept parses a saved input, which another binary may have written. It reports false
// if the input no longer fits the type.
func (p *Property) ParseKept(input string) (term.Term, bool) { return p.Place.parse(p.World, input) }

// parse parses an input as a term of a world.
func (p *Place) parse(w *schema.World, input string) (term.Term, bool) {
	k, err := codec.Decode(w, "kept", []byte(input), p.Src)
	return k.Term, err == nil && len(k.Losses) == 0
}

// PlainReader returns a function that reports whether plain go test can read a case. It
// cannot if the case contains a variant of an interface that allele found in the source
// and that is not declared. Saving such a case would make a passing test fail.
func (p *Property) PlainReader() func(x term.Term) bool {
	facts := len(known())
	if facts == 0 {
		return func(term.Term) bool { return true }
	}
	plain, err := schema.Derive(p.World.Root.Type, p.Settings.Decls[facts:])
	if err != nil {
		return func(term.Term) bool { return true } // go test reports this error itself
	}
	return func(x term.Term) bool {
		_, ok := p.Place.parse(plain, p.CaseText(x))
		return ok
	}
}
