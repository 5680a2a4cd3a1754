//go:build go1.25

package build

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/load"
)

// The work folder is in a cache, where anything may happen to its files. These
// tests damage the files of a real build.

// variants returns how many damaged versions of each file are tried. There are
// fewer with -short, for runs with the race detector: it makes them slow and has
// nothing to find here.
func variants() int {
	if testing.Short() {
		return 500
	}
	return 10_000
}

// damaged yields damaged versions of a file, the same in every run.
func damaged(data []byte, yield func(variant []byte)) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range variants() {
		odd := bytes.Clone(data)
		switch i % 6 {
		case 0:
			odd = odd[:r.IntN(len(odd))]
		case 1:
			odd[r.IntN(len(odd))] ^= 1 << r.IntN(8)
		case 2:
			for range 1 + r.IntN(20) {
				odd[r.IntN(len(odd))] = byte(r.Uint32())
			}
		case 3: // a part is repeated, or a part is missing
			from, at := r.IntN(len(odd)), r.IntN(len(odd))
			odd = append(odd[:at:at], odd[from:]...)
		case 4: // another number
			odd = otherNumber(r, odd)
		case 5: // oversized
			odd = append(odd, bytes.Repeat(odd[r.IntN(len(odd)):], r.IntN(20))...)
		}
		yield(odd)
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

func otherNumber(r *rand.Rand, data []byte) []byte {
	numbers := []string{"0", "1", "2", "-1", "64", "129", "1048575", "4194303", "4194304", "4294967230", "4294967295", "4294967296", "9223372036854775807", "1e9", "99999999999999999999"}
	all := digits.FindAllIndex(data, -1)
	if len(all) == 0 {
		return data
	}
	at := all[r.IntN(len(all))]
	return slices.Concat(data[:at[0]], []byte(numbers[r.IntN(len(numbers))]), data[at[1]:])
}

// frugal reports a function that allocates much more memory than the size of its
// input.
func frugal(t *testing.T, input []byte, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if most := uint64(1<<20 + 100*len(input)); after.TotalAlloc-before.TotalAlloc > most {
		t.Errorf("%d bytes for %q", after.TotalAlloc-before.TotalAlloc, input)
	}
}

// built returns a module that was built once.
func built(t *testing.T) (b *bench, id string) {
	t.Helper()
	b = newBench(t)
	b.build()
	l, err := load.List(b.config.Load)
	if err != nil {
		t.Fatal(err)
	}
	return b, identity(l, b.config)
}

func (b *bench) read(name string) []byte {
	b.Helper()
	data, err := os.ReadFile(b.made(name))
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// A table of sites is read or rejected. A table that is read is no larger than
// its bytes allow: a site takes at least eight.
func TestDamagedSites(t *testing.T) {
	b, _ := built(t)
	m, ok := readManifest(b.work)
	if !ok || len(m.Sites) == 0 {
		t.Fatal("there is no table")
	}
	right := 0
	damaged(m.Sites, func(odd []byte) {
		frugal(t, odd, func() {
			sites, err := site.Decode(odd)
			if err == nil {
				right++
			}
			if len(sites) > len(odd)/8 {
				t.Errorf("%d sites in %d bytes", len(sites), len(odd))
			}
		})
	})
	if right == variants() {
		t.Error("nothing was refused")
	}
}

// A damaged manifest is not used, unless it is equal to the good one. A manifest
// with a correct checksum may contain any table, but no site numbers beyond the
// limit.
func TestDamagedManifest(t *testing.T) {
	b, id := built(t)
	good := b.read("built")
	try := func(data []byte) (o *Overlay) {
		if err := os.WriteFile(b.made("built"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		frugal(t, append(data, good...), func() { o = reuse(b.config, id) })
		return o
	}
	if try(good) == nil {
		t.Fatal("a good one is not used")
	}
	damaged(good, func(odd []byte) {
		if try(odd) != nil && !bytes.Equal(odd, good) {
			t.Errorf("%q is used", odd)
		}
	})
	_, rest, _ := bytes.Cut(good, []byte("\n"))
	used := 0
	damaged(rest, func(odd []byte) {
		if o := try(sealed(odd)); o != nil {
			used++
			b.checkNumbers(o.Sites)
		}
	})
	if used == variants() {
		t.Error("all of them are used")
	}
	// Damage inside base64 seldom hits the number of a site, so these are set
	// directly.
	m, _ := readManifest(b.work)
	if json.Unmarshal(rest, &m) != nil {
		t.Fatal("not JSON")
	}
	table, err := site.Decode(m.Sites)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []uint32{sitesMax, 1<<32 - 1} {
		table[0].ID = id
		m.Sites = site.Encode(table)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if o := try(sealed(data)); o != nil {
			t.Errorf("a site with number %d", o.Sites[0].ID)
		}
	}
}

// sealed puts the first line before the rest of a manifest.
func sealed(rest []byte) []byte {
	return fmt.Appendf(nil, "%s %s\n%s", manifestFormat, sum(rest), rest)
}

func (b *bench) checkNumbers(sites []site.Site) {
	b.Helper()
	for _, s := range sites {
		if s.ID >= sitesMax {
			b.Errorf("site %d", s.ID)
		}
	}
}

func (b *bench) checkDistinct(sites []site.Site) {
	b.Helper()
	seen := map[uint32]bool{}
	for _, s := range sites {
		if seen[s.ID] {
			b.Errorf("there are two sites %d", s.ID)
		}
		seen[s.ID] = true
	}
}

// Whatever blocks.json contains, each package gets numbers that no other package
// has, and there is room for another build.
func TestDamagedBlocks(t *testing.T) {
	b, _ := built(t)
	good := b.read("blocks.json")
	var was blocks
	if err := json.Unmarshal(good, &was); err != nil || len(was.Blocks) < 2 {
		t.Fatalf("%d blocks: %v", len(was.Blocks), err)
	}
	damaged(good, func(odd []byte) {
		if err := os.WriteFile(b.made("blocks.json"), odd, 0o666); err != nil {
			t.Fatal(err)
		}
		frugal(t, odd, func() {
			got, err := readBlocks(b.made("blocks.json"))
			if err != nil {
				t.Fatal(err)
			}
			if problem := crowded(got, was.Blocks); problem != "" {
				t.Errorf("%s, after\n%s", problem, odd)
			}
		})
	})
}

// crowded reserves numbers for each package, as a build does, and describes what
// goes wrong.
func crowded(b *blocks, packages map[string]block) string {
	type taken struct{ from, to uint64 }
	var all []taken
	for pkg, x := range packages {
		const sites = 50
		start := uint64(b.reserve(pkg, sites))
		all = append(all, taken{start, start + sites})
		if x.Size < sites {
			return "too few sites for " + pkg
		}
	}
	slices.SortFunc(all, func(a, b taken) int { return cmp.Compare(a.from, b.from) })
	end := uint64(1)
	for _, x := range all {
		if x.from < end {
			return fmt.Sprintf("number %d is taken twice", x.from)
		}
		end = x.to
	}
	if end > sitesMax {
		return fmt.Sprintf("there is no number %d", end)
	}
	if b.Next >= sitesMax {
		return fmt.Sprintf("the next number is %d", b.Next)
	}
	return ""
}

// A build in a damaged work folder has the same result as a build in a new one,
// or fails with an error that names the file and the next step.
func TestDamagedWork(t *testing.T) {
	blocks := func(text string) func(b *bench) {
		return func(b *bench) { b.damage("blocks.json", []byte(text)) }
	}
	for _, row := range []struct {
		what   string
		damage func(b *bench)
		want   string
	}{
		{"blocks that overlap", blocks(`{"format":1,"next":200,"blocks":{"scratch/a":{"start":1,"size":64},"scratch/b":{"start":2,"size":64}}}`), "made"},
		{"a block beyond all numbers", blocks(`{"format":1,"next":200,"blocks":{"scratch/a":{"start":4294967200,"size":200}}}`), "made"},
		{"no number is left", blocks(`{"format":1,"next":4194300,"blocks":{}}`), "made"},
		{"blocks of a later version", blocks(`{"format":99}`), "made"},
		{"blocks.json is huge", func(b *bench) { b.huge("blocks.json") }, "made"},
		{"blocks.json is a folder", func(b *bench) { b.folder("built"); b.folder("blocks.json") }, "blocks.json"},
		{"blocks.json never ends", func(b *bench) { b.pipe("blocks.json") }, "blocks.json"},
		{"the manifest is huge", func(b *bench) { b.huge("built") }, "made"},
		{"the manifest never ends", func(b *bench) { b.pipe("built") }, "made"},
		{"a rewritten file is huge", func(b *bench) { b.huge("src/scratch/a/a.go") }, "made"},
		{"a rewritten file is a folder", func(b *bench) { b.folder("src/scratch/a/a.go") }, "a.go"},
		{"a rewritten file never ends", func(b *bench) { b.pipe("src/scratch/a/a.go") }, "a.go"},
		{"a folder is a file", func(b *bench) { os.RemoveAll(b.made("src")); b.damage("src", nil) }, "src"},
		{"the overlay is a folder", func(b *bench) { b.folder("overlay.json") }, "overlay.json"},
	} {
		t.Run(row.what, func(t *testing.T) {
			b := newBench(t)
			b.build()
			row.damage(b)
			frugal(t, make([]byte, 2<<20), func() {
				if row.want != "made" {
					b.clear(row.want)
					return
				}
				if how := b.compare(); how != "made" {
					t.Errorf("it was %s", how)
				}
				_, o, _ := b.make()
				b.checkNumbers(o.Sites)
				b.checkDistinct(o.Sites)
			})
		})
	}
}

// clear checks that a build fails with an error that names the file and the next
// step.
func (b *bench) clear(file string) {
	b.Helper()
	l, err := load.List(b.config.Load)
	if err != nil {
		b.Fatal(err)
	}
	_, err = Make(l, b.config)
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "delete the folder "+b.work) {
		b.Errorf("got %v, want it to name %s and say what to do", err, file)
	}
}

// damage replaces the content of a file. It removes the manifest, or the build
// would not look at the file.
func (b *bench) damage(name string, data []byte) {
	b.Helper()
	os.Remove(b.made("built"))
	if err := os.WriteFile(b.made(name), data, 0o666); err != nil {
		b.Fatal(err)
	}
}

// huge makes a file larger than memory. Its end is a hole that takes no disk
// space.
func (b *bench) huge(name string) {
	b.Helper()
	if name == "blocks.json" {
		os.Remove(b.made("built"))
	}
	if err := os.Truncate(b.made(name), 1<<40); err != nil {
		b.Skip(err)
	}
}

// pipe replaces a file by a named pipe without a writer.
func (b *bench) pipe(name string) {
	b.Helper()
	if name == "blocks.json" {
		os.Remove(b.made("built"))
	}
	os.Remove(b.made(name))
	if err := exec.Command("mkfifo", b.made(name)).Run(); err != nil {
		b.Skip("no pipe: ", err)
	}
}
