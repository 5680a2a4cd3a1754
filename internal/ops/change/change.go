// Package change decides which properties a change of the source may affect.
//
//	tree, err := change.Load(parts, sites, tags)   // the source as it is now
//	tree.Record(p, reached, change.Read(dir)).Write(dir) // after a run: what did the property reach?
//
//	diff, err := change.Since("HEAD~1", dir, tree) // what is different now?
//	d := diff.Decide(p, change.Read(dir), flags)   // does that affect a property?
//
// The one idea: source is split into functions and other declarations. A record
// lists the functions that a property has reached, each with a checksum of its
// tokens. A property runs if one of these functions has changed. Moved lines,
// comments and layout are no change, a record stays valid in another clone or
// years later, and no line numbers have to be mapped from one version of a file
// to another.
//
// The rest of the package deals with what a record does not show. In doubt it
// runs the property. A changed declaration affects every property that is built
// from its package. Functions too short for a probe count as reached if their
// name appears in something reached. If functions of a record have changed, the
// record only shows where the old ones led, so then any change in the property's
// program counts.
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

// Diff is what has changed since a revision.
type Diff struct {
	tree    *Tree
	root    string   // of the repository
	modules []string // changed files that affect versions of modules, such as go.mod
	folders map[string]*delta
}

// delta is what has changed in a package.
type delta struct {
	units  []difference
	linked []string // changed files that are built into it
	data   []string // changed files that its tests may read
	unseen bool     // it has files that git ignores, or that are outside the repository
}

// Since compares the present source with a revision of the repository around dir.
// tree is the present source as it is built.
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

// places returns the folders of packages in the repository, by their path as git
// writes it.
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

// compare finds what has changed in the source of one package.
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
				to.linked = append(to.linked, file) // one of the versions cannot be parsed
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

// other records a changed file that is not source of a package.
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
			return // the file belongs to another module, or to none
		}
		dir = path.Dir(dir)
	}
	to := d.folders[places[dir].Dir]
	inTestdata := strings.Contains("/"+file, "/testdata/")
	switch {
	case places[dir].embeds(), path.Dir(file) == dir && builtIn[path.Ext(base)], !places[dir].Own && !inTestdata:
		to.linked = append(to.linked, file)
	case !inTestdata && (strings.HasSuffix(base, ".go") || prose(base)):
		// Source of a package that no test here is built from, or documentation.
	default:
		to.data = append(to.data, file)
	}
}

// hidden reports whether the go command and tests of other packages ignore a
// file: .github, .gitignore, _build.
func hidden(file string) bool {
	return strings.HasPrefix(file, ".") || strings.HasPrefix(file, "_") || strings.Contains(file, "/.") || strings.Contains(file, "/_")
}

// builtIn are extensions of files that the go command passes to a compiler, an
// assembler or the linker.
var builtIn = set(".c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso")

// prose reports whether a file is documentation. A test that reads such a file
// has it in testdata or embeds it.
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

// unseen marks packages with files that git ignores, or that are outside the
// repository: their changes since a revision are unknown.
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

// anyUnseen reports whether a property is built from a file whose changes are
// unknown.
func (d *Diff) anyUnseen(p Property) bool {
	return slices.ContainsFunc(p.Parts, func(part Part) bool { return d.folders[part.Dir].unseen })
}

// Decision is whether a property runs, and why.
type Decision struct {
	Run bool
	Why string
}

func runs(format string, args ...any) Decision { return Decision{true, fmt.Sprintf(format, args...)} }

// Decide reports whether a property must be run again. build describes how it
// would be built. Decide uses the record of the present source if there is one,
// and the newest record otherwise.
func (d *Diff) Decide(p Property, known Records, build string) Decision {
	if len(known) == 0 {
		return runs("new: no record yet of what it reaches")
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

// governs reports whether a changed file such as go.mod is above a package that a
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

// sameModule reports whether there is no other module between two folders. A
// workspace spans modules.
func (d *Diff) sameModule(above, dir, base string) bool {
	for ; dir != above && !strings.HasPrefix(base, "go.work"); dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "go.mod")) {
			return false
		}
	}
	return true
}

// reached looks for a change in the functions that the property has reached.
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

// noticed looks for a change in a package that affects every property built from
// it.
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

// caseOwner reports whether a file is a stored case, and returns a predicate for
// the property that it may belong to. Names of folders are escaped. Long names
// are truncated and end in a hash.
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
			begin = begin[:j] // truncated within an escape sequence
		}
	}
	whole, _ := url.PathUnescape(name) // empty if the name is not validly escaped
	begin, err := url.PathUnescape(begin)
	return func(property string) bool {
		return property == whole || err == nil && begin != whole && strings.HasPrefix(property, begin)
	}, true
}

// hashLen is the length of the hash in a truncated name, with the hyphen before
// it.
const hashLen = 9

// unsure handles a record that may be incomplete: runs were too long to record or
// ended their process, or reached functions have changed since and may lead
// elsewhere. Then every change in the program counts, and so does a file whose
// changes are unknown.
func (d *Diff) unsure(p Property, r *Record) Decision {
	why := ""
	if !r.Whole {
		why = "the record of what it reaches is incomplete"
	}
	if what := d.tree.differs(p, r); what != "" {
		why = "it was last run when " + what + " was different"
		if d.anyUnseen(p) {
			return runs("%s, and git does not track all files it is built from", why)
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
