//go:build go1.25

package score

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// asking counts the faults that a member is asked about.
func asking(m *Member, key string, count *int) *Member {
	m.Key = key
	ask := m.Ask
	m.Ask = func(faults []site.Fault, to Answer) error {
		*count += len(faults)
		return ask(faults, to)
	}
	return m
}

// judged judges three faults with two members, and returns how many questions that took.
func judged(dir string, keyA, keyB string, of []site.Fault) (asked int, p *Package) {
	p = &Package{Faults: of, Members: []*Member{
		asking(member("A", "killed/property", "survived", "not-reached"), keyA, &asked),
		asking(member("tests", "", "survived", "killed/test"), keyB, &asked),
	}}
	p.Judge(Run{Cache: Cache{Dir: dir}})
	return asked, p
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "score")
	_, first := judged(dir, "a", "b", faults(3))
	for _, c := range []struct {
		what       string
		keyA, keyB string
		asked      int
	}{
		{"the same again", "a", "b", 0},
		{"other inputs of the property", "a2", "b", 3},
		{"other tests", "a", "b2", 2},
		{"a member without a key", "", "b", 3},
		{"it is never cached", "", "b", 3},
		{"the first keys", "a", "b", 0},
	} {
		asked, p := judged(dir, c.keyA, c.keyB, faults(3))
		if asked != c.asked || p.Cached != (asked == 0) || !slices.Equal(p.Results, first.Results) {
			t.Errorf("%s: %d questions, cached %v, %v; want %d, %v", c.what, asked, p.Cached, p.Results, c.asked, first.Results)
		}
	}
}

// Verdicts about some faults are used when all are judged.
func TestCacheOfSome(t *testing.T) {
	dir := t.TempDir()
	judged(dir, "a", "b", faults(3)[1:2])
	if asked, _ := judged(dir, "a", "b", faults(3)); asked != 3 {
		t.Errorf("%d questions, want 2 of A and 1 of tests", asked)
	}
	if asked, p := judged(dir, "a", "b", faults(3)[:1]); asked != 0 || len(p.Results) != 1 {
		t.Errorf("%d questions after all were judged", asked)
	}
	if asked, p := judged(dir, "a", "b", faults(3)); asked != 0 || !p.Cached {
		t.Errorf("%d questions: verdicts about some faults have replaced those about all", asked)
	}
}

// The cache does not use IDs of faults: they depend on the packages that a command selects. If two
// packages are judged by the same tests, their verdicts are not confused.
func TestCacheWithOtherIDs(t *testing.T) {
	dir := t.TempDir()
	list := func(path string, first int) (all []site.Fault) {
		for i := range 3 {
			all = append(all, site.Fault{ID: first + i, Package: path, Line: i + 1, Site: i / 2, Variant: i % 2})
		}
		return all
	}
	verdicts := map[string]string{"a 0 0": fate.Survived, "a 0 1": fate.NotReached, "a 1 0": fate.NotInfected,
		"b 0 0": fate.NotInfected, "b 0 1": fate.Survived, "b 1 0": fate.NotReached}
	for _, c := range []struct {
		path  string
		first int
		asked int
		fresh bool
	}{{"a", 0, 3, false}, {"a", 2, 0, false}, {"b", 0, 3, false}, {"a", 1, 0, false}, {"b", 7, 0, false},
		{"a", 0, 3, true}, {"b", 3, 3, true}, {"a", 0, 0, false}, {"b", 3, 0, false}} { // -fresh judges again, and loses nothing
		asked := 0
		ask := func(faults []site.Fault, to Answer) error {
			for _, f := range faults {
				asked++
				to.Verdict(fate.Verdict{Fault: f.ID, Kind: verdicts[fmt.Sprint(f.Package, " ", f.Site, " ", f.Variant)]})
			}
			return nil
		}
		p := &Package{Faults: list(c.path, c.first), Members: []*Member{{Kind: Tests, Name: "t", Key: "k", Ask: ask}}}
		p.Judge(Run{Cache: Cache{Dir: dir, Fresh: c.fresh}})
		for i, r := range p.Results {
			f := p.Faults[i]
			if want := verdicts[fmt.Sprint(f.Package, " ", f.Site, " ", f.Variant)]; r.Kind != want || r.Fault != f.ID {
				t.Errorf("%v: fault %d is %v, want %s", c, f.ID, r, want)
			}
		}
		if asked != c.asked {
			t.Errorf("%v: %d questions", c, asked)
		}
	}
}

// After an interrupt, the next command continues.
func TestCacheOfInterrupted(t *testing.T) {
	dir, asked := t.TempDir(), 0
	a := member("A", "killed/property", "survived", "not-reached")
	ask := a.Ask
	a.Ask = func(faults []site.Fault, to Answer) error {
		ask(faults[:2], to)
		return ErrStopped
	}
	p := &Package{Faults: faults(3), Members: []*Member{asking(a, "a", &asked)}}
	p.Judge(Run{Cache: Cache{Dir: dir}})
	if asked, _ := judged(dir, "a", "b", faults(3)); asked != 1+2 {
		t.Errorf("%d questions, want 1 of A and 2 of tests", asked)
	}
}

// If the command is killed, few verdicts are lost.
func TestCacheOfKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, seen := t.TempDir(), 0
		m := &Member{Kind: Tests, Name: "t", Key: "k"}
		m.Ask = func(faults []site.Fault, to Answer) error {
			for i, f := range faults {
				time.Sleep(time.Second)
				to.Verdict(fate.Verdict{Fault: f.ID, Kind: fate.Survived})
				saved, _, _ := Cache{Dir: dir}.read(m, faults)
				if seen = len(saved); seen < i-4 {
					t.Errorf("%d of %d verdicts are saved", seen, i+1)
				}
			}
			return nil
		}
		p := &Package{Faults: faults(20), Members: []*Member{m}}
		p.Judge(Run{Cache: Cache{Dir: dir}})
		if seen == 0 {
			t.Error("nothing was saved before the end")
		}
	})
}

// A damaged file is as good as none, and is replaced.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	_, first := judged(dir, "a", "b", faults(3))
	files, _ := filepath.Glob(filepath.Join(dir, "*"+cacheExt))
	if len(files) != 2 {
		t.Fatal(files)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		file := files[i%2]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data := damage(rnd, whole)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, p := judged(dir, "a", "b", faults(3)); !slices.Equal(p.Results, first.Results) {
			t.Fatalf("%q: %v, want %v", data, p.Results, first.Results)
		}
		if asked, _ := judged(dir, "a", "b", faults(3)); asked != 0 {
			t.Fatalf("%q was not replaced", data)
		}
	}
}

// damage changes a byte, cuts, doubles or replaces data.
func damage(rnd *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	at := rnd.IntN(len(data))
	switch rnd.IntN(5) {
	case 0:
		data[at] ^= byte(1 + rnd.IntN(255))
	case 1:
		data = data[:at]
	case 2:
		data = append(data, data...)
	case 3:
		data = slices.Insert(data, at, bytes.Repeat([]byte("["), 20_000)...)
	case 4:
		data = nil
	}
	return data
}

// The right checksum does not make verdicts right.
func TestForgedCache(t *testing.T) {
	dir := t.TempDir()
	m := &Member{Kind: Property, Name: "A", Key: "a", verdicts: map[int]fate.Verdict{
		0: {Fault: 0, Kind: "dead"}, 1: {Fault: 1, Kind: fate.Killed, By: "magic"}, 99: {Fault: 99, Kind: fate.Survived}}}
	Cache{Dir: dir}.write(m, append(faults(2), site.Fault{ID: 99, Site: 99}))
	if asked, p := judged(dir, "a", "b", faults(3)); asked != 3+2 {
		t.Errorf("%d questions, %v", asked, p.Results)
	}
}

func TestTrimCache(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		judged(dir, fmt.Sprint("a", i), "b", faults(3))
	}
	os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o666)
	Cache{Dir: dir}.trim(2)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 3 {
		t.Error(files)
	}
}

func TestKey(t *testing.T) {
	seen := map[string]bool{}
	for _, texts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"1:a"}} {
		seen[Key(texts...)] = true
	}
	if len(seen) != 7 {
		t.Error(len(seen))
	}
}
