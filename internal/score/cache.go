//go:build go1.25

package score

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// Cache keeps the verdicts of members in a folder, a file for each key. A verdict depends on
// the program, the tests, the inputs and the limits. All of them are in the key of a member,
// so a verdict in the cache is as good as a new one. The name of the folder is "" if nothing is
// cached.
//
// A file that cannot be read, or was damaged, is treated as if it did not exist, and is then
// written again. If the folder cannot be written to, nothing is cached.
type Cache struct {
	Dir   string
	Fresh bool // judge everything again: verdicts about other packages stay in the files
}

// A file of the cache is a line with a checksum of the rest, and JSON.
const (
	cacheMagic = "allele verdicts 2 "
	cacheExt   = ".verdicts"
	baseExt    = ".baseline"
	ledgerExt  = ".ledger"
	// cacheBytes is the size of the largest file that is read. A verdict has about 100 bytes,
	// and there are some ten thousand faults in a large package.
	cacheBytes = 64 << 20
	// cacheFiles is how many files the folder may have. The oldest are removed.
	cacheFiles = 500
)

// cached is the JSON of a file.
type cached struct {
	Kind     Kind              `json:"kind"`
	Name     string            `json:"name"`
	Left     map[string]string `json:"left,omitempty"` // tests that are left out
	Empty    bool              `json:"empty,omitempty"`
	Verdicts []entry           `json:"verdicts"`
}

// entry is a verdict about the fault of a gate. The ID of the fault has no meaning here, since
// it depends on the packages that a command selects.
type entry struct {
	Gate gate `json:"gate"`
	fate.Verdict
}

// gate is what identifies a fault in a program.
type gate struct {
	Package string `json:"package"`
	Site    int    `json:"site"`
	Variant int    `json:"variant"`
}

func gateOf(f site.Fault) gate { return gate{f.Package, f.Site, f.Variant} }

func compareGates(a, b gate) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), a.Site-b.Site, a.Variant-b.Variant)
}

func (c Cache) file(m *Member) string {
	return filepath.Join(c.Dir, Key(string(m.Kind), m.Name, m.Key)+cacheExt)
}

// base returns the file of what a member does without faults, or "".
func (c Cache) base(m *Member) string {
	if c.Dir == "" || m.Key == "" || c.Fresh || os.MkdirAll(c.Dir, 0o777) != nil {
		return ""
	}
	return strings.TrimSuffix(c.file(m), cacheExt) + baseExt
}

// ledger returns the file of verdicts that hold across edits, or "".
func (c Cache) ledger(m *Member) string {
	if c.Dir == "" || m.Ledger == "" || os.MkdirAll(c.Dir, 0o777) != nil {
		return ""
	}
	return filepath.Join(c.Dir, Key(string(m.Kind), m.Name, m.Ledger)+ledgerExt)
}

// read returns the verdicts of a member about faults, by ID, and the tests that are left out.
// Neither is nil. empty is true if there are no tests or inputs.
func (c Cache) read(m *Member, faults []site.Fault) (all map[int]fate.Verdict, left map[string]string, empty bool) {
	all, left = map[int]fate.Verdict{}, map[string]string{}
	read, ok := c.load(m)
	if !ok || c.Fresh {
		return all, left, false
	}
	known := map[gate]fate.Verdict{}
	for _, e := range read.Verdicts {
		known[e.Gate] = e.Verdict
	}
	for _, f := range faults {
		if v, ok := known[gateOf(f)]; ok && valid(v) {
			v.Fault = f.ID
			all[f.ID] = v
		}
	}
	maps.Copy(left, read.Left)
	now := time.Now()
	os.Chtimes(c.file(m), now, now) // for trim; without the right time, it is written again some day
	return all, left, read.Empty
}

// load reads the file of a member.
func (c Cache) load(m *Member) (read cached, ok bool) {
	if c.Dir == "" || m.Key == "" {
		return read, false
	}
	f, err := os.Open(c.file(m))
	if err != nil {
		return read, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, cacheBytes))
	if err != nil {
		return read, false
	}
	read, err = decodeCached(data)
	return read, err == nil && read.Kind == m.Kind && read.Name == m.Name
}

func decodeCached(data []byte) (c cached, err error) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(line) != fmt.Sprintf("%s%08x", cacheMagic, crc32.ChecksumIEEE(rest)) {
		return c, fmt.Errorf("the checksum is wrong")
	}
	err = json.Unmarshal(rest, &c)
	return c, err
}

// writing is locked while a file is read and replaced: several packages may have the same member at a time.
var writing sync.Mutex

// write saves the verdicts of a member about faults, with those that it has in the cache about
// other faults: -since judges only some, and the tests of a package may judge several. The file is replaced as a whole.
func (c Cache) write(m *Member, faults []site.Fault) {
	if c.Dir == "" || m.Key == "" || os.MkdirAll(c.Dir, 0o777) != nil {
		return
	}
	writing.Lock()
	defer writing.Unlock()
	merged := map[gate]fate.Verdict{}
	again := map[string]bool{} // packages whose earlier verdicts do not count
	for _, f := range faults {
		again[f.Package] = c.Fresh
	}
	if old, ok := c.load(m); ok {
		for _, e := range old.Verdicts {
			if !again[e.Gate.Package] {
				merged[e.Gate] = e.Verdict
			}
		}
	}
	m.mu.Lock()
	all := cached{m.Kind, m.Name, maps.Clone(m.left), m.empty, nil}
	for _, f := range faults {
		if v, ok := m.verdicts[f.ID]; ok {
			v.Fault = 0
			merged[gateOf(f)] = v
		}
	}
	m.mu.Unlock()
	for _, g := range slices.SortedFunc(maps.Keys(merged), compareGates) {
		all.Verdicts = append(all.Verdicts, entry{g, merged[g]})
	}
	data, err := json.Marshal(all)
	if err != nil {
		return
	}
	data = append(fmt.Appendf(nil, "%s%08x\n", cacheMagic, crc32.ChecksumIEEE(data)), data...)
	f, err := os.CreateTemp(c.Dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.file(m))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	c.trim(cacheFiles)
}

// trim removes the files that were not used for the longest time, so that no more than some
// are left.
func (c Cache) trim(most int) {
	type aged struct {
		name string
		used time.Time
	}
	var files []aged
	entries, _ := os.ReadDir(c.Dir) // if it cannot be read, there is nothing to remove
	for _, e := range entries {
		if info, err := e.Info(); err == nil && slices.Contains([]string{cacheExt, baseExt, ledgerExt}, filepath.Ext(e.Name())) {
			files = append(files, aged{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b aged) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for _, f := range files[:max(0, len(files)-most)] {
		os.Remove(filepath.Join(c.Dir, f.name))
	}
}
