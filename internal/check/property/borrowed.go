//go:build go1.25

package property

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
)

// borrowedMax bounds the stored cases of other properties that a property runs.
const borrowedMax = 100

// Borrowed returns stored cases of other properties of the package that are inputs of this one.
//
// A test may have been split, and the part with the bug has another name now. Checks without a
// Name, and subtests without a name, may have been reordered, and each reads the cases of another
// one. Nothing in the files shows this, and a case that passes looks like a bug that was fixed. But
// a property must hold for every input of its type, so it may be run on them all. The cases change
// nothing else: no input is derived from them, and they are not counted.
//
// The allele command does not use them: the properties run in processes of their own, and would
// find the cases that others have just stored.
func Borrowed(p *Property) (seeds []Seed) {
	if p.Job.Mode != job.Plain {
		return nil
	}
	for _, file := range storedAtStart() {
		if strings.EqualFold(filepath.Dir(file), p.Place.Dir) {
			continue
		}
		if len(seeds) == borrowedMax || p.Stopped() {
			break
		}
		if s, ok := borrow(p, file); ok {
			seeds = append(seeds, s)
		}
	}
	return seeds
}

// borrow reads a case of another property. It reports false if the case is no input of this one. A
// case that may end the process is borrowed from the same test only, because it takes a process.
func borrow(p *Property, file string) (s Seed, ok bool) {
	data, err := read(file)
	if err != nil {
		return s, false
	}
	k, q, err := decode(p, file, data, nil)
	if err != nil || len(k.Losses) > 0 || k.Header.Verdict == string(event.Passed) {
		return s, false
	}
	runs, err := codec.ParseRuns(k.Header.Runs)
	if err != nil || runs.Isolated && topTest(k.Header.Test) != topTest(p.Name) {
		return s, false
	}
	if root(string(data)) != root(q.CaseText(k.Term)) {
		return s, false // a literal of another type that happens to have the same fields
	}
	return Seed{Prop: q, Term: k.Term, From: file, Runs: runs}, true
}

// root returns what precedes the first brace or parenthesis of a case: its type or function.
func root(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if i := strings.IndexAny(line, "{("); i >= 0 {
			return strings.TrimLeft(line[:i], "&")
		}
		break
	}
	return ""
}

// topTest returns the name of the top-level test in the name of a property.
func topTest(name string) string {
	if i := strings.IndexAny(name, "/#"); i >= 0 {
		return name[:i]
	}
	return name
}

// atStart has the stored cases of packages when their first Check began.
var atStart sync.Map

// storedAtStart returns the stored cases that existed when the first Check of the test binary
// began. If a property also ran the cases that others store during the tests, its result would
// depend on their order.
func storedAtStart() []string {
	list, _ := atStart.LoadOrStore(Home, sync.OnceValue(func() (files []string) {
		const root = "testdata/allele"
		folders, _ := os.ReadDir(At(root)) // most packages have no cases
		for _, d := range folders {
			entries, _ := os.ReadDir(At(filepath.Join(root, d.Name())))
			for _, e := range entries {
				if name := e.Name(); strings.HasSuffix(name, ".case") && !strings.HasPrefix(name, savedPrefix) {
					files = append(files, filepath.Join(root, d.Name(), name))
				}
			}
		}
		return files
	}))
	return list.(func() []string)()
}
