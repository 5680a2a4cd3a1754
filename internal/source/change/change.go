//go:build go1.25

// Package change decides which properties a change of the source may affect.
//
//	tree, err := change.Load(parts, sites, tags)   // the source as it is now
//	tree.Record(p, reached, change.Read(dir)).Write(dir) // after a run: what did the property reach?
//
//	diff, err := change.Since("HEAD~1", dir, tree) // what is different now?
//	d := diff.Decide(p, change.Read(dir), flags)   // does that affect a property?
//
// The one idea: source is split into functions and other declarations. A record lists
// the functions that a property has reached, each with a checksum of its tokens. A
// property runs if one of these functions has changed. Moved lines, comments and layout
// do not count as changes. A record stays valid in another clone or years later. No
// line numbers have to be mapped from one version of a file to another.
//
// The rest of the package handles changes that a record cannot decide. In doubt, the
// property runs. A change of any other declaration, such as a type, affects every
// property that is built from its package. A function too short for a probe (inserted
// code that records that a place was reached) counts as reached if its name appears in
// reached code. If a function has changed since it was recorded, the new version may
// call functions that the record does not list. So then any change in the property's
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
	root    string            // top folder of the repository
	modules []string          // changed files that set versions of modules, such as go.mod
	folders map[string]*delta // folder of a package -> what has changed in it
}

// delta is what has changed in a package.
type delta struct {
	units  []difference
	linked []string // changed files that are built into the package
	data   []string // changed files that the package's tests may read
	unseen bool     // some files of the package are ignored by git or outside the repository
}

// Since compares the present source with a revision of the git repository that contains
// dir. tree is the present source: the files that are built now.
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

// places returns the package folders that are in the repository. The key is the path
// relative to the repository's top folder, with slashes, as git prints it. places also
// creates an empty delta for every package.
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
				to.linked = append(to.linked, file) // not parsed, so the changed units are unknown
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

// other records a changed file that is not Go source of a loaded package.
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
		// No property depends on it: it is documentation, or source of a package that
		// no test here is built from.
	default:
		to.data = append(to.data, file)
	}
}

// hidden reports whether the name of a file, or of a folder above it, begins with a dot
// or an underscore: .github, .gitignore, _build. The go command ignores such files, and
// tests of other packages are assumed to ignore them too.
func hidden(file string) bool {
	return strings.HasPrefix(file, ".") || strings.HasPrefix(file, "_") || strings.Contains(file, "/.") || strings.Contains(file, "/_")
}

// builtIn are extensions of files that the go command passes to a compiler, an
// assembler or the linker.
var builtIn = set(".c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso")

// prose reports whether a file is documentation. Tests are assumed to read
// documentation only from testdata or through go:embed. The caller has handled both
// cases.
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
// repository. Whether these files have changed since the revision is unknown.
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
		for _, base := range f.Files {
			in, err := filepath.Rel(d.root, filepath.Join(real, base))
			if err != nil || !seen[filepath.ToSlash(in)] {
				d.folders[dir].unseen = true
			}
		}
	}
}

// anyUnseen reports whether a property is built from a file whose changes are
// unknown.
func (d *Diff) anyUnseen(p Property) bool {
	return slices.ContainsFunc(p.Parts, func(part Part) bool { return part.Own && d.folders[part.Dir].unseen })
}

// Decision is whether a property runs, and why.
type Decision struct {
	Run bool
	Why string
}

func runs(format string, args ...any) Decision { return Decision{true, fmt.Sprintf(format, args...)} }

// Decide reports whether a property must be run again. build is a text with the flags
// that the property would be built with; only records with the same flags count. Of
// these, Decide uses the one that matches the present source, or else the newest.
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

// governs reports whether a changed file such as go.mod applies to a package that a
// property is built from: the file is in a folder above the package, and no other
// module begins between them.
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

// sameModule reports whether the folder dir, which is below the folder above, belongs
// to the same module. For go.work the answer is always yes, because a workspace spans
// modules. base is the name of the changed file.
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

// noticed looks in one package for a change that affects every property built from this
// package.
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

// caseOwner reports whether a file is a stored case: an input in testdata/allele/NAME,
// where NAME is the property's name. For a stored case, it also returns a function that
// reports whether the case may belong to a property. NAME is escaped. If it is long, it
// is truncated and ends in a hash.
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

// hashLen is the length of the hash at the end of a truncated name, including the
// hyphen before the hash.
const hashLen = 9

// unsure handles a record that may not list everything that the property reaches now.
// There are two possible reasons. Some runs were too long to record, or ended their
// process. Or something in the record has changed since, so that reached functions may
// now call others. For both reasons, every change in the program counts. For the
// second, a file whose changes are unknown counts too.
func (d *Diff) unsure(p Property, r *Record) Decision {
	why := ""
	for _, part := range p.Parts {
		f := d.tree.folders[part.Dir]
		if !part.Own && f.whole != "" && d.folders[part.Dir].unseen && r.Declarations[part.Path] != f.whole {
			return runs("%s has changed since the property was last run, and git does not track it", part.Path)
		}
	}
	if !r.Whole {
		why = "the record of what the property reaches is incomplete"
	}
	if what := d.tree.differs(p, r); what != "" {
		why = "the property was last run when " + what + " was different"
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
