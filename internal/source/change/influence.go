//go:build go1.25

package change

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// A verdict about a fault holds after an edit if nothing that the tests ran has changed. Influence finds out which tests
// an edit may influence. Functions that leave a note when they run are known exactly. Every other function, constant
// or variable counts as used by what mentions its name. All other declarations count for all tests.

// Influence is the source of the tests of one package.
type Influence struct {
	tree    *Tree
	of      Property
	units   []*unit            // in the order of packages, files and places
	named   map[string][]*unit // those that leave no note, by the names that code mentions
	methods map[string][]*unit // exported methods that leave no note, by the name of their type
	noted   map[string]bool    // keys of functions that leave a note
	lines   bool               // the program may look at line numbers
	linked  map[*unit]linked   // made when it is needed
}

// Version is a version of a function, a constant or a variable.
type Version struct {
	Sum  string `json:"sum"`
	Head string `json:"head,omitempty"` // checksum of a signature
}

// Influence returns the source of the tests of a package. noted are the functions that leave a note when they run, as an
// import path, a space, and a name such as (*Parser).next.
func (t *Tree) Influence(p Property, noted []string) *Influence {
	x := &Influence{tree: t, of: p, named: map[string][]*unit{}, methods: map[string][]*unit{}, noted: map[string]bool{}}
	for _, name := range noted {
		x.noted[Key(name)] = true
	}
	for _, d := range x.folders() {
		for _, f := range d.files {
			for _, u := range f.units {
				if p.in(u) {
					x.add(u)
				}
			}
		}
	}
	return x
}

// Key returns the key of a function in a set of Influence.
func Key(noted string) string {
	pkg, name, _ := strings.Cut(noted, " ")
	if of, method, ok := strings.Cut(name, "."); ok && !strings.HasPrefix(name, "(") {
		name = "(" + of + ")." + method
	}
	return pkg + " " + name
}

func (x *Influence) folders() (all []*folder) {
	seen := map[string]bool{}
	for _, part := range x.of.Parts {
		if part.Own && !seen[part.Dir] {
			seen[part.Dir] = true
			all = append(all, x.tree.folders[part.Dir])
		}
	}
	return all
}

func (x *Influence) add(u *unit) {
	x.units = append(x.units, u)
	x.lines = x.lines || looksAtLines(u)
	switch {
	case u.kind == function && !x.noted[u.key]:
		x.named[u.name] = append(x.named[u.name], u)
		if u.of != "" && ast.IsExported(u.name) {
			x.methods[u.of] = append(x.methods[u.of], u)
		}
	case u.kind == declaration:
		for _, name := range u.more.names {
			x.named[name] = append(x.named[name], u)
		}
	}
}

// looksAtLines reports whether a unit may find out on which line some code is.
func looksAtLines(u *unit) bool {
	for _, name := range []string{"Caller", "Callers", "CallersFrames", "FuncForPC", "Lshortfile", "Llongfile", "AddSource", "PrintStack",
		"AddCaller", "WithCaller", "SetReportCaller", "ReportCaller"} {
		if u.mention[name] {
			return true
		}
	}
	return u.mention["Stack"] && (u.mention["debug"] || u.mention["runtime"]) ||
		u.mention["log"] && (u.mention["New"] || u.mention["SetFlags"]) // the flags may be a number
}

// startsProcess reports whether a unit may start another process: its functions run there without a note, if it is the same
// program, or one that is built from the source.
func startsProcess(u *unit) bool {
	m := u.mention
	return u.more.runs && (m["Command"] || m["CommandContext"] || m["Cmd"]) || m["StartProcess"] || m["ForkExec"] || m["testscript"]
}

// fine reports whether a change of a unit matters only to tests that use it.
func (u *unit) fine() bool { return u.kind == function || u.more.plain }

func (x *Influence) version(u *unit) Version {
	v := Version{u.sum, u.more.head}
	if u.test && strings.HasPrefix(u.name, "Example") {
		v.Sum += u.more.raw // its output is in a comment
	}
	if x.lines {
		v.Sum += fmt.Sprint(u.more.raw, u.from)
	}
	return v
}

// Units returns the versions of all functions, and of constants and variables whose value follows from the source.
func (x *Influence) Units() map[string]Version {
	all := map[string]Version{}
	for _, u := range x.units {
		if u.fine() {
			all[u.key] = x.version(u)
		}
	}
	return all
}

// Whole returns a checksum of all that matters to all tests. It is "" if that is not known.
func (x *Influence) Whole() string {
	var lines []byte
	for _, part := range x.of.Parts {
		if lines = fmt.Appendf(lines, "%q %t\n", part.Path, part.Own); part.Own {
			continue
		}
		if d := x.tree.folders[part.Dir]; d.whole != "" {
			lines = fmt.Appendf(lines, "%s\n", d.whole)
		} else {
			lines = fmt.Appendf(lines, "%q\n", part.Dir)
		}
	}
	for _, d := range x.folders() {
		for _, f := range d.files {
			if f.dots {
				return "" // a name in the file may be one of another package
			}
			if f.limits != "" {
				lines = fmt.Appendf(lines, "%s %s\n", filepath.Base(f.name), f.limits)
			}
		}
	}
	lines = append(lines, x.edges()...)
	for _, u := range x.units {
		switch {
		case !u.fine():
			lines = fmt.Appendf(lines, "%s %s %v\n", u.key, x.version(u), filepath.Base(u.file))
		case u.kind == function && u.of != "":
			lines = fmt.Appendf(lines, "%s %s\n", u.key, u.more.head) // an interface may have it
		}
	}
	if x.readsSource() {
		for _, u := range x.units {
			lines = fmt.Appendf(lines, "%s %v\n", u.more.raw, u.from)
		}
	}
	return digest(lines)
}

// edges returns which packages import which others, without the standard library: that decides in which order they are initialised.
func (x *Influence) edges() (lines []byte) {
	parts := map[string]bool{}
	for _, p := range x.of.Parts {
		parts[p.Path] = true
	}
	for _, d := range x.folders() {
		imports := map[string]bool{}
		for _, f := range d.files {
			for _, path := range f.imports {
				if parts[path] {
					imports[path] = true
				}
			}
		}
		lines = fmt.Appendf(lines, "%q %q\n", d.Path, sorted(imports))
	}
	return lines
}

// sourceReader matches what tests have that read source.
var sourceReader = regexp.MustCompile("\\.go[\"`]|\"go\\.mod|\"go/(parser|build|ast|format)\"|x/tools/|\"go\", \"|" +
	"(ReadDir|WalkDir|Walk|DirFS|ParseDir|Glob)\\((fset, )?[\"`]\\.")

// readsSource reports whether tests may read the source of the package.
func (x *Influence) readsSource() bool {
	for _, d := range x.folders() {
		for _, f := range d.files {
			if !f.test || d.Path != x.of.Package {
				continue
			}
			if src, err := os.ReadFile(f.name); err != nil || sourceReader.Match(src) {
				return true
			}
		}
	}
	return false
}

// Place returns where a fault is: the key of its unit, and how many tokens are before it there. known is false if the
// source is not known. wide is true if the unit counts for all tests.
func (x *Influence) Place(f site.Fault) (key string, token int, wide, known bool) {
	u := x.tree.at(site.Site{File: f.File, Line: f.Line, Col: f.Col})
	if u == nil || !x.of.in(u) {
		return "", 0, false, false
	}
	tokens, err := x.tree.spots(u.file)
	if err != nil {
		return "", 0, false, false
	}
	return u.key, index(tokens, spot{f.Line, f.Col}) - index(tokens, u.from), !u.fine(), true
}

// Edit is what is different from an earlier version of the source.
type Edit struct {
	Why     string          // what has changed that matters to all tests, or ""
	changed map[string]bool // keys of the units that have changed, or use one that has changed without a note
	now     *Influence
	tests   map[string]bool // for functions of tests, by name: whether its source has changed, or uses a unit that has
}

// Since compares with the units of an earlier version whose Whole was the same.
func (x *Influence) Since(old map[string]Version) *Edit {
	e := &Edit{changed: map[string]bool{}, now: x, tests: map[string]bool{}}
	now := x.Units()
	for _, key := range sorted(now) {
		was, there := old[key]
		if there && was.Head != now[key].Head {
			e.Why = title(key) + " has another signature"
		}
		if !there || was != now[key] {
			e.changed[key] = true
		}
	}
	for key := range old {
		if _, there := now[key]; !there {
			e.changed[key] = true // nothing runs it, but a fault may have
		}
	}
	for _, key := range sorted(e.changed) {
		_, is := now[key]
		_, was := old[key]
		if name := title(key); is != was && types.Universe.Lookup(name[strings.LastIndexByte(name, ' ')+1:]) != nil {
			e.Why = name + " hides a predeclared name"
		}
	}
	for _, u := range x.units {
		if len(e.changed) > 0 && startsProcess(u) {
			e.changed[u.key] = true
		}
	}
	e.spread()
	for _, u := range x.units {
		switch {
		case u.kind == declaration && !u.fine() && e.changed[u.key]:
			e.Why = cmp.Or(e.Why, title(u.key)+" uses what has changed")
		case u.test && u.kind == function && u.of == "":
			e.tests[u.name] = e.tests[u.name] || e.changed[u.key]
		}
	}
	return e
}

func title(key string) string {
	_, title, _ := strings.Cut(key, " ")
	return title
}

// spread adds the units that use a changed unit without a note.
func (e *Edit) spread() {
	users := map[string][]*unit{} // name -> units that mention it
	for _, u := range e.now.units {
		for name := range u.mention {
			users[name] = append(users[name], u)
		}
		for name := range u.more.parts {
			users[name] = append(users[name], u)
		}
	}
	var queue []*unit
	for _, u := range e.now.units {
		if e.changed[u.key] {
			queue = append(queue, u)
		}
	}
	// A value of a type may exist where the type is mentioned, or another type that has it as a part. Then its methods
	// may be called by code that does not mention them.
	exists := map[string]bool{}
	var mark func(typ string)
	mark = func(typ string) {
		if exists[typ] {
			return
		}
		exists[typ] = true
		for _, u := range users[typ] {
			if strings.HasPrefix(title(u.key), "type ") {
				for _, name := range u.more.names {
					mark(name)
				}
			} else if !e.changed[u.key] {
				e.changed[u.key] = true
				queue = append(queue, u)
			}
		}
	}
	for len(queue) > 0 {
		u := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		names := u.more.names
		if u.kind == function {
			if e.now.noted[u.key] {
				continue
			}
			if names = []string{u.name}; u.of != "" && ast.IsExported(u.name) {
				mark(u.of)
			}
		}
		for _, name := range names {
			for _, user := range users[name] {
				named := u.kind == function && user.more.parts != nil // an interface, or a field, has a method of this name
				if !e.changed[user.key] && !named {
					e.changed[user.key] = true
					queue = append(queue, user)
				}
			}
		}
	}
}

// Test reports whether the edit may influence a test, by its own source.
func (e *Edit) Test(name string) bool {
	touched, known := e.tests[testName(name)]
	return touched || !known
}

// testName returns the name of the function of a test, which may end with a number, as in TestA#01.
func testName(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return name
}

// Touches reports whether a function has changed, or uses what has changed. It is also true if there is no such function.
func (e *Edit) Touches(key string) bool {
	return e.changed[key] || e.now.tree.units[key] == nil
}

func sorted[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// spots returns where the tokens of a file begin, without those that depend on the layout.
func (t *Tree) spots(file string) ([]spot, error) {
	if known, ok := t.tokens[file]; ok {
		return known, nil
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var s scanner.Scanner
	fset := token.NewFileSet()
	f := fset.AddFile("", fset.Base(), len(src))
	s.Init(f, src, nil, 0)
	all := []spot{}
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			t.tokens[file] = all
			return all, nil
		}
		if tok != token.SEMICOLON && tok != token.COMMA {
			at := f.PositionFor(pos, false)
			all = append(all, spot{at.Line, at.Column})
		}
	}
}

// index returns how many tokens are before a place.
func index(tokens []spot, place spot) int {
	n, _ := slices.BinarySearchFunc(tokens, place, func(a, b spot) int { return cmp.Or(a.line-b.line, a.col-b.col) })
	return n
}

// linked is what a unit has to do with shared variables.
type linked struct {
	vars  []string
	calls []*unit // that leave no note
}

// links returns what all units have to do with shared variables.
func (x *Influence) links() map[*unit]linked {
	written, passed, shared := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, u := range x.units {
		maps.Copy(written, u.more.handles.written)
		maps.Copy(passed, u.more.handles.passed)
	}
	for _, u := range x.units {
		for _, name := range u.more.vars {
			if written[name] || passed[name] && !u.more.solid {
				shared[name] = true
			}
		}
	}
	all := map[*unit]linked{}
	for _, u := range x.units {
		l := linked{}
		for name := range u.mention {
			if shared[name] {
				l.vars = append(l.vars, name)
			}
			for _, v := range x.named[name] {
				if v.kind == function && v != u {
					l.calls = append(l.calls, v)
				}
			}
		}
		all[u] = l
	}
	return all
}

// Shared returns the variables that tests may share and that the functions use, which have run in a test.
func (x *Influence) Shared(test string, functions []string) map[string]bool {
	if x.linked == nil {
		x.linked = x.links()
	}
	vars, seen := map[string]bool{}, map[*unit]bool{}
	var visit func(u *unit)
	visit = func(u *unit) {
		if seen[u] {
			return
		}
		seen[u] = true
		for _, name := range x.linked[u].vars {
			vars[name] = true
		}
		for _, v := range x.linked[u].calls {
			visit(v)
		}
	}
	for _, key := range functions {
		if u := x.tree.units[key]; u != nil {
			visit(u)
		}
	}
	for _, u := range x.units {
		if u.test && u.kind == function && u.of == "" && u.name == testName(test) {
			visit(u)
		}
	}
	return vars
}
