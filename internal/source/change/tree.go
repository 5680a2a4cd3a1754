//go:build go1.25

package change

import (
	"bytes"
	"cmp"
	"fmt"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/site"
)

// Part is a package that tests are built from.
type Part struct {
	Path, Dir string
	Own       bool     // its functions have probes, so that records can list them
	Files     []string // names of its source files that are built
}

// Property is a property that may be run.
type Property struct {
	Package string // the package whose tests contain the property
	Name    string
	Test    string // the test that the property is in
	Parts   []Part // the packages that the test is built from
}

// Tree is the source of a program at one point in time.
type Tree struct {
	tags    []string
	folders map[string]*folder // by path
	units   map[string]*unit   // by key
	short   map[string][]*unit // functions without a probe, by name
	newest  time.Time          // when a file was last changed
	tokens  map[string][]spot  // where the tokens of files are, by name
}

// folder is the folder of a package.
type folder struct {
	Part
	files    []*file
	declared [2]string // checksums of declarations, without tests and with them
	whole    string    // checksum of a package without probes, unless it is a version of a module
}

func (d *folder) embeds() bool {
	return slices.ContainsFunc(d.files, func(f *file) bool { return f.embeds })
}

const library = "github.com/allele-go/allele/"

// Load reads the source of all parts that are Own. sites are all sites of the
// program.
func Load(parts []Part, sites []site.Site, tags []string) (*Tree, error) {
	t := &Tree{tags: tags, folders: map[string]*folder{}, units: map[string]*unit{}, short: map[string][]*unit{},
		tokens: map[string][]spot{}}
	for _, p := range parts {
		d := t.folders[p.Dir]
		if d == nil {
			d = &folder{Part: p}
			t.folders[p.Dir] = d
		}
		d.Files = append(slices.Clone(d.Files), p.Files...) // parts may list a package twice: with its tests and without
	}
	for _, d := range t.folders {
		var err error
		slices.Sort(d.Files)
		d.Files = slices.Compact(d.Files)
		switch {
		case d.Own:
			err = t.read(d)
		case !strings.Contains(d.Dir, "@") && !strings.HasPrefix(d.Path+"/", library):
			// A version of a module never changes, and this library only with the command.
			err = t.readWhole(d)
		}
		if err != nil {
			return nil, err
		}
	}
	t.findShort(sites)
	return t, nil
}

// Newest returns the time of the last change to the files that were read.
func (t *Tree) Newest() time.Time { return t.newest }

// source reads a file of a folder, and records its time.
func (t *Tree) source(d *folder, base string) (name string, src []byte, err error) {
	name = filepath.Join(d.Dir, base)
	info, err := os.Stat(name)
	if err != nil {
		return name, nil, err
	}
	if info.ModTime().After(t.newest) {
		t.newest = info.ModTime()
	}
	src, err = os.ReadFile(name)
	return name, src, err
}

func (t *Tree) read(d *folder) error {
	for _, base := range d.Files {
		name, src, err := t.source(d, base)
		if err != nil {
			return err
		}
		f, err := parse(d.Path, name, src)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		d.files = append(d.files, f)
		for _, u := range f.units {
			t.units[u.key] = u
		}
	}
	return nil
}

// readWhole computes the checksum of a package without probes: it has no functions that a
// record could list.
func (t *Tree) readWhole(d *folder) error {
	var all []byte
	for _, base := range d.Files {
		_, src, err := t.source(d, base)
		if err != nil {
			return err
		}
		all = fmt.Appendf(all, "%s %s\n", base, digest(src))
	}
	d.whole = digest(all)
	return nil
}

// wasBuilt reports whether the go command would have built the old version of a file.
// To find out, we evaluate the build constraints ourselves. For the present version the
// go command's answer is known. If ours differs from it, we do not trust ours for the
// old version either, and return the go command's.
func (t *Tree) wasBuilt(d *folder, name string, was, is []byte) bool {
	listed := slices.Contains(d.Files, filepath.Base(name))
	if is != nil && t.matches(name, is) != listed {
		return listed
	}
	return t.matches(name, was)
}

// matches reports whether the name and the constraints of a file allow it to be
// built.
func (t *Tree) matches(name string, src []byte) bool {
	c := build.Default
	c.BuildTags = append(slices.Clone(c.BuildTags), t.tags...)
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }
	ok, err := c.MatchFile(filepath.Split(name))
	return ok || err != nil
}

// findShort finds the functions that have no probe at their beginning. Such a function
// may run without leaving a trace.
func (t *Tree) findShort(sites []site.Site) {
	type place struct {
		file string
		at   spot
	}
	probed := map[place]bool{}
	for _, s := range sites {
		if s.Kind == site.Func {
			probed[place{s.File, spot{s.Line, s.Col}}] = true
		}
	}
	for _, u := range t.units {
		if u.short = u.kind == function && !probed[place{u.file, u.rest.body}]; u.short {
			t.short[u.name] = append(t.short[u.name], u)
		}
	}
}

// at returns the unit that contains a site, or nil.
func (t *Tree) at(s site.Site) *unit {
	d := t.folders[filepath.Dir(s.File)]
	if d == nil {
		return nil
	}
	i := slices.IndexFunc(d.files, func(f *file) bool { return f.name == s.File })
	if i < 0 {
		return nil
	}
	units, where := d.files[i].units, spot{s.Line, s.Col}
	n, _ := slices.BinarySearchFunc(units, where, func(u *unit, at spot) int {
		return cmp.Or(u.from.line-at.line, u.from.col-at.col)
	})
	if n < len(units) && units[n].from == where {
		return units[n]
	}
	if n > 0 && where.before(units[n-1].rest.to) {
		return units[n-1]
	}
	return nil
}

// in reports whether the program that a property is built into contains a unit.
func (p *Property) in(u *unit) bool {
	dir := filepath.Dir(u.file)
	return slices.ContainsFunc(p.Parts, func(part Part) bool {
		return part.Own && part.Dir == dir && (!u.test || part.Path == p.Package)
	})
}

// declared returns a checksum of a package's declarations and of the names of its
// methods. A change of these may affect functions whose own source is the same.
func (t *Tree) declared(part Part, tests bool) string {
	d, which := t.folders[part.Dir], 0
	if !part.Own {
		return d.whole
	}
	if tests {
		which = 1
	}
	if d.declared[which] == "" {
		d.declared[which] = d.sum(tests)
	}
	return d.declared[which]
}

func (d *folder) sum(tests bool) string {
	var lines []string
	for _, f := range d.files {
		for _, u := range f.units {
			switch {
			case u.test && !tests:
			case u.kind == function && u.of != "":
				lines = append(lines, u.key)
			case u.kind != function:
				lines = append(lines, u.key+" "+u.sum)
			}
		}
	}
	slices.Sort(lines)
	return digest([]byte(strings.Join(lines, "\n")))
}
