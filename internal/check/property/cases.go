//go:build go1.25

package property

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Seed is an input to try first.
type Seed struct {
	Term   term.Term
	From   string // the name of the seed in reports
	File   string // the case file; empty for an Example
	Owner  string // the property that the file names, if it belongs to another one than that of its folder
	Shrunk bool
	Prop   *Property // Term is an input of this property
	Saved  bool      // the seed is a case file with the verdict passed
	Runs   codec.Runs
	Gone   []codec.Loss // fields that the file has and the type does not
}

// ByFields reports whether the seed is made by fields, and not by the builders that the
// property uses.
func (s Seed) ByFields() bool { return s.Prop != nil && s.Prop.Reading != Calls }

// Seeds returns the examples, the stored cases, and the corpus of Go's native fuzzing. It reports false if one of them
// cannot be read, because a regression test that silently stops testing is worse than
// none. A case that only another program can run is not an error, but it is shown.
func (p *Property) Seeds() (seeds []Seed, ok bool) {
	p.TB.Helper()
	if ok = true; p.Job.Mode == job.Plain {
		storedAtStart() // before a case is stored
	}
	for i, v := range p.Settings.Examples {
		x, err := example(p, v)
		if err != nil {
			p.TB.Errorf("allele: Example %d: %v", i+1, err)
			ok = false
			continue
		}
		seeds = append(seeds, Seed{Prop: p, Term: x, From: fmt.Sprintf("Example %d", i+1)})
	}
	if p.Config.Renames != nil {
		expectRenames(p)
	}
	var notRun []*NotRun
	var damage damage
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
		var skipped *NotRun
		switch {
		case errors.As(err, &skipped) && !Strict():
			notRun = append(notRun, skipped)
		case err != nil:
			p.TB.Errorf("allele: cannot read a stored case: %v\nfix or delete this file", err)
			ok = false
		case mine:
			damage.gone(s)
			seeds = append(seeds, s)
		default:
			damage.elsewhere(p, file, s.Owner)
		}
	}
	if len(notRun) > 0 {
		sayNotRun(p, notRun)
	}
	return append(seeds, nativeSeeds(p)...), damage.report(p) && ok
}

// sayNotRun shows which stored cases are not run.
func sayNotRun(p *Property, all []*NotRun) {
	p.TB.Helper()
	note(p, notRunText(p, all))
}

// note shows a text also without -v: in go test as printed text, and in allele test as a
// note of the first process that searches.
func note(p *Property, text string) {
	p.TB.Helper()
	switch {
	case p.Job.Mode == job.Plain:
		Say(p, text)
	case p.Job.Mode == job.Search && p.Job.Search.Others.Worker == 0 && p.Job.Search.Past.Worker == 0:
		p.Emit(event.Note{Text: text})
	}
}

// Load reads a case file if it belongs to this property. A file that names no test, because
// it was written by hand, belongs to the property whose folder it is in.
func (p *Property) Load(file string) (s Seed, mine bool, err error) {
	p.TB.Helper()
	return p.LoadIf(file, func(test string) bool { return test == p.Name })
}

// LoadIf reads a case file if belongs accepts the test that the file names. A field that
// the type no longer has is left out and added to Seed.Gone. The error is a NotRun if the file is correct
// and another program may be able to run the case.
func (p *Property) LoadIf(file string, belongs func(test string) bool) (s Seed, mine bool, err error) {
	p.TB.Helper()
	data, err := read(file)
	if err != nil {
		return s, false, err
	}
	if p.Config.Renames != nil {
		data = rewrite(p, file, data, belongs)
	}
	if h, err := codec.ReadHeader(file, data); err != nil {
		return s, false, err
	} else if h.Test != "" && !belongs(h.Test) {
		return Seed{Owner: h.Test}, false, nil
	}
	k, q, err := decode(p, file, data, nil)
	if err != nil {
		return s, false, err
	}
	gone := slices.DeleteFunc(k.Losses, func(l codec.Loss) bool { return !l.Gone })
	runs, err := codec.ParseRuns(k.Header.Runs)
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", file, err)
	}
	saved := k.Header.Verdict == string(event.Passed)
	from := file
	if q != p {
		from += ", made by fields"
		p.Logf("%s is made by fields, because this program does not build it with the same functions", file)
	}
	return Seed{Prop: q, Term: k.Term, From: from, File: file, Shrunk: k.Header.Shrunk != "", Saved: saved,
		Runs: runs, Gone: gone}, true, nil
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

// PlainReader returns a function that reports whether plain go test can run a case. It
// cannot if the case contains a variant of an interface that allele found in the source
// and that is not declared, or a value that only functions found in the source can make.
func PlainReader(p *Property) func(x term.Term) bool {
	facts := len(known())
	if facts == 0 {
		return func(term.Term) bool { return true }
	}
	plain, err := schema.Derive(p.World.Root.Type, p.Settings.Decls[facts:])
	if err != nil {
		return func(term.Term) bool { return true } // go test reports this error itself
	}
	q := &Property{TB: p.TB, Job: p.Job, Place: p.Place, World: plain}
	q.Settings.Decls = p.Settings.Decls[facts:]
	return func(x term.Term) bool {
		data := codec.Encode(codec.Header{}, p.CaseText(x))
		if fields := fieldsOf(p, x); fields != "" {
			data = codec.WithFields(data, fields)
		}
		_, _, err := decode(q, "case", data, nil)
		return err == nil
	}
}
