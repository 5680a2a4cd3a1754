// Package change decides which properties a change of the source may matter to.
//
//	tree, err := change.Load(parts, sites, tags)   // the source as it is now
//	tree.Record(p, reached, change.Read(dir)).Write(dir) // a property was run: what did it reach?
//
//	diff, err := change.Since("HEAD~1", dir, tree) // what is different now?
//	d := diff.Decide(p, change.Read(dir), flags)   // does that matter to a property?
//
// The one idea: source is taken apart into functions and other declarations, and a
// record says which functions a property has reached and what they were made of. A
// property runs if one of these has changed. Lines that only moved, comments and
// layout are no change, a record stays true in another clone or years later, and
// nobody has to carry line numbers from one version of a file to another.
//
// All else is about what a record does not show, and errs towards running: a
// declaration changes for everyone who is built from its package; functions too
// short for a probe count as reached where their name stands; and a record of
// functions that are different now says where the old ones led, so then any change
// in the property's program matters.
package change

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Diff is what is different from a revision.
type Diff struct {
	tree    *Tree
	root    string   // of the repository
	modules []string // changed files that decide about versions
	folders map[string]*delta
}

// delta is what is different about a package.
type delta struct {
	units  []difference
	linked []string // changed files that are built into it
	data   []string // and those that its tests may read
	unseen bool     // git does not know all of its files
}

// Since compares the present source, of which tree is what is built, with a
// revision of the repository around dir.
func Since(rev, dir string, tree *Tree) (*Diff, error) {
	repo, err := open(dir, rev)
	if err != nil {
		return nil, err
	}
	changed, err := repo.changed()
	if err != nil {
		return nil, err
	}
	known, err := repo.known()
	if err != nil {
		return nil, err
	}
	d := &Diff{tree: tree, root: repo.dir, folders: map[string]*delta{}}
	places := d.places()
	var source []string
	for _, file := range changed {
		if places[path.Dir(file)] != nil && strings.HasSuffix(file, ".go") {
			source = append(source, file)
		} else {
			d.other(file, places)
		}
	}
	old, err := repo.contents(source)
	if err != nil {
		return nil, err
	}
	for dir, folder := range places {
		d.compare(dir, folder, source, old)
	}
	d.unseen(append(known, changed...))
	return d, nil
}

// places are the folders of packages in the repository, as git writes them.
func (d *Diff) places() map[string]*folder {
	places := map[string]*folder{}
	for dir, f := range d.tree.folders {
		d.folders[dir] = &delta{}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		if in, err := filepath.Rel(d.root, dir); err == nil && filepath.IsLocal(in) {
			places[filepath.ToSlash(in)] = f
		}
	}
	return places
}

// compare finds what is different about the source of one package.
func (d *Diff) compare(dir string, f *folder, source []string, old map[string][]byte) {
	var before, after []*unit
	to := d.folders[f.Dir]
	for _, file := range source {
		if path.Dir(file) != dir {
			continue
		}
		name := filepath.Join(f.Dir, path.Base(file))
		was, wasThere := old[file]
		is, err := os.ReadFile(name)
		if err != nil {
			is = nil
		}
		for _, v := range []struct {
			src   []byte
			built bool
			units *[]*unit
		}{
			{was, wasThere && d.tree.wasBuilt(f, name, was, is), &before},
			{is, is != nil && slices.Contains(f.Files, path.Base(file)), &after},
		} {
			if !v.built {
				continue
			}
			parsed, err := parse(f.Path, name, v.src)
			if err != nil {
				to.linked = append(to.linked, file) // one version of it is no Go
				continue
			}
			*v.units = append(*v.units, parsed.units...)
		}
	}
	to.units = compare(before, after)
	for i, u := range to.units {
		to.units[i].where = path.Join(dir, u.where)
	}
}

// other takes a changed file that is not source of a package.
func (d *Diff) other(file string, places map[string]*folder) {
	base := path.Base(file)
	switch {
	case base == "go.mod" || base == "go.sum" || base == "go.work" || base == "go.work.sum",
		strings.HasSuffix(file, "vendor/modules.txt"):
		d.modules = append(d.modules, file)
		return
	case hidden(file):
		return
	}
	dir := path.Dir(file)
	for places[dir] == nil {
		if dir == "." || exists(filepath.Join(d.root, filepath.FromSlash(dir), "go.mod")) {
			return // another module has it, or none
		}
		dir = path.Dir(dir)
	}
	to := d.folders[places[dir].Dir]
	inTestdata := strings.Contains("/"+file, "/testdata/")
	switch {
	case places[dir].embeds(), path.Dir(file) == dir && builtIn[path.Ext(base)], !places[dir].Own && !inTestdata:
		to.linked = append(to.linked, file)
	case !inTestdata && (strings.HasSuffix(base, ".go") || prose(base)):
		// Source of a package that no test here is built from, or for people.
	default:
		to.data = append(to.data, file)
	}
}

// hidden reports whether the go command and the tests of other people look past a
// file: .github, .gitignore, _build.
func hidden(file string) bool {
	return strings.HasPrefix(file, ".") || strings.HasPrefix(file, "_") || strings.Contains(file, "/.") || strings.Contains(file, "/_")
}

// builtIn are files that the go command hands to a compiler, an assembler or the
// linker.
var builtIn = set(".c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso")

// prose reports whether a file is for people. A test that reads one has it in
// testdata or embeds it.
func prose(base string) bool {
	switch strings.ToLower(path.Ext(base)) {
	case ".md", ".rst", ".adoc":
		return true
	}
	name := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	return slices.Contains([]string{"license", "licence", "copying", "notice", "authors", "contributors",
		"changelog", "readme", "codeowners"}, name)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// unseen marks packages with files that git is told to ignore, or that lie outside
// the repository: what changed there since a revision, nobody knows.
func (d *Diff) unseen(known []string) {
	seen := map[string]bool{}
	for _, file := range known {
		seen[file] = true
	}
	for dir, f := range d.tree.folders {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			real = dir
		}
		for _, file := range f.files {
			in, err := filepath.Rel(d.root, filepath.Join(real, filepath.Base(file.name)))
			if err != nil || !seen[filepath.ToSlash(in)] {
				d.folders[dir].unseen = true
			}
		}
	}
}

// anyUnseen reports whether a property is built from a file that git does not know.
func (d *Diff) anyUnseen(p Property) bool {
	return slices.ContainsFunc(p.Parts, func(part Part) bool { return d.folders[part.Dir].unseen })
}

// Decision is whether a property runs, and why it does.
type Decision struct {
	Run bool
	Why string
}

func runs(format string, args ...any) Decision { return Decision{true, fmt.Sprintf(format, args...)} }

// Decide says whether a property must be run again. Build is how it would be built.
// Of what is known that counts which is of the source as it is, or else the newest.
func (d *Diff) Decide(p Property, known Records, build string) Decision {
	if len(known) == 0 {
		return runs("new: what it reaches is not known yet")
	}
	known = slices.DeleteFunc(slices.Clone(known), func(r *Record) bool { return r.Build != build })
	if len(known) == 0 {
		return runs("it was last run with other flags")
	}
	r := known[max(0, slices.IndexFunc(known, func(r *Record) bool { return d.tree.differs(p, r) == "" }))]
	if !r.Passed {
		return runs("it did not pass when it was last run")
	}
	for _, file := range d.modules {
		if d.governs(file, p) {
			return runs("%s changed", file)
		}
	}
	if found := d.reached(p, r); found.Run {
		return found
	}
	for _, part := range p.Parts {
		if found := d.noticed(p, part); found.Run {
			return found
		}
	}
	return d.unsure(p, r)
}

// governs reports whether a changed go.mod or the like lies above something that a
// property is built from.
func (d *Diff) governs(file string, p Property) bool {
	above := filepath.Join(d.root, filepath.FromSlash(path.Dir(file)))
	if path.Base(file) == "modules.txt" {
		above = filepath.Dir(above)
	}
	return slices.ContainsFunc(p.Parts, func(part Part) bool {
		real, err := filepath.EvalSymlinks(part.Dir)
		if err != nil {
			real = part.Dir
		}
		in, err := filepath.Rel(above, real)
		return err == nil && filepath.IsLocal(in) && d.sameModule(above, real, path.Base(file))
	})
}

// sameModule reports whether no other module begins between two folders. A
// workspace spans modules.
func (d *Diff) sameModule(above, dir, base string) bool {
	for ; dir != above && !strings.HasPrefix(base, "go.work"); dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "go.mod")) {
			return false
		}
	}
	return true
}

// reached looks for a change in what the property has reached.
func (d *Diff) reached(p Property, r *Record) Decision {
	for _, part := range p.Parts {
		for _, u := range d.folders[part.Dir].units {
			if _, ok := r.Functions[u.key]; ok {
				return runs("%s", u)
			}
		}
	}
	return Decision{}
}

// noticed looks for a change that matters to all that is built from a package.
func (d *Diff) noticed(p Property, part Part) Decision {
	to, home := d.folders[part.Dir], part.Path == p.Package
	for _, u := range to.units {
		if (u.wide || !part.Own) && (home || !u.test) {
			return runs("%s", u)
		}
	}
	if len(to.linked) > 0 {
		return runs("%s changed", to.linked[0])
	}
	for _, file := range to.data {
		if owner, stored := caseOwner(file); home && (!stored || owner(p.Name)) {
			return runs("%s changed", file)
		}
	}
	return Decision{}
}

// caseOwner tells whose stored case a file is, if it is one. The names of folders
// are escaped, and those of some are cut and have a hash instead of their end.
func caseOwner(file string) (is func(property string) bool, stored bool) {
	_, rest, ok := strings.Cut("/"+file, "/testdata/allele/")
	name, _, inside := strings.Cut(rest, "/")
	if !ok || !inside {
		return nil, false
	}
	begin := name
	if i := strings.LastIndexByte(name, '-'); i >= 0 && len(name)-i == hashLen {
		begin = name[:i]
		if j := strings.LastIndexByte(begin, '%'); j > len(begin)-3 && j >= 0 {
			begin = begin[:j] // cut in the middle of a sign
		}
	}
	whole, _ := url.PathUnescape(name) // empty if it is none
	begin, err := url.PathUnescape(begin)
	return func(property string) bool {
		return property == whole || err == nil && begin != whole && strings.HasPrefix(property, begin)
	}, true
}

// hashLen is how long the hash is in a name that was cut, with the sign before it.
const hashLen = 9

// unsure deals with a record that does not tell all: runs were too long for it or
// ended their process, or what was reached is different now and may lead elsewhere. Then every change in
// the program matters, and so does a file that git does not know.
func (d *Diff) unsure(p Property, r *Record) Decision {
	why := ""
	if !r.Whole {
		why = "not all that it reaches is known"
	}
	if what := d.tree.differs(p, r); what != "" {
		why = "it was last run when " + what + " was different"
		if d.anyUnseen(p) {
			return runs("%s, and git does not know all files it is built from", why)
		}
	}
	if why == "" {
		return Decision{}
	}
	for _, part := range p.Parts {
		for _, u := range d.folders[part.Dir].units {
			if part.Path == p.Package || !u.test {
				return runs("%s, and %s", u, why)
			}
		}
	}
	return Decision{}
}
