package refactorings

import (
	_ "embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// refactoring is a change of a module that has stored cases. Each is a section of a text:
//
//	== rename a test
//	order                         the package shop has the type Order
//	other                         and a test with another Check
//	-- before shop/shop_test.go --
//	func TestTotal(t *testing.T) { ... }
//	-- after shop/shop_test.go --
//	func TestSum(t *testing.T) { ... }
//
// A Go file needs no imports, and no package clause if the package has the name of its folder.
// Before the change, an Example makes the test fail and store a case, unless the section has cases.
type refactoring struct {
	name   string
	before files
	after  files       // all Go files after the change
	cases  files       // "case": cases that a person wrote
	moves  [][2]string // "move OLD NEW": a file or folder is renamed, with all that it contains
	edits  [][2]string // "replace OLD NEW": a text is replaced in all stored cases
	gone   bool        // "gone": after the change no input has the bug
	answer string      // "answer X": what a line may not know: the new names of test and package, or OLD=NEW of a field
}

// files are texts by file name.
type files map[string]string

var (
	//go:embed testdata/types.txt
	ofTypes string
	//go:embed testdata/tests.txt
	ofTests string
)

// all returns all refactorings.
func all() (list []refactoring, err error) {
	for section := range strings.SplitSeq("\n"+ofTypes+"\n"+ofTests, "\n== ") {
		name, rest, _ := strings.Cut(section, "\n")
		if strings.HasPrefix(strings.TrimSpace(section), "#") {
			continue // the comment at the top of a text
		}
		if at := strings.LastIndex(rest, "\n# Changes of "); at >= 0 {
			rest = rest[:at] // of the next text
		}
		r := refactoring{name: name, before: files{"bug/bug.go": bug}, after: files{"bug/bug.go": bug}, cases: files{}}
		if err := r.parse(rest); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, r)
	}
	return list, nil
}

var marker = regexp.MustCompile(`(?m)^-- (before|after|both|case) (\S+) --\n`)

func (r *refactoring) parse(text string) error {
	at := marker.FindAllStringSubmatchIndex(text, -1)
	if len(at) == 0 {
		return fmt.Errorf("no files")
	}
	for line := range strings.Lines(text[:at[0][0]]) {
		if err := r.directive(strings.TrimSpace(line)); err != nil {
			return err
		}
	}
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		kind, name, content := text[m[2]:m[3]], text[m[4]:m[5]], strings.TrimSpace(text[m[1]:end])+"\n"
		if kind == "case" {
			r.cases[name] = content
			continue
		}
		content = source(path.Base(path.Dir(name)), content)
		if kind != "after" {
			r.before[name] = content
		}
		if kind != "before" {
			r.after[name] = content
		}
	}
	return nil
}

func (r *refactoring) directive(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	from, to, _ := strings.Cut(rest, " ")
	both := func(name, text string) { r.before[name], r.after[name] = source("shop", text), source("shop", text) }
	switch word {
	case "":
	case "gone":
		r.gone = true
	case "answer":
		r.answer = rest
	case "move":
		r.moves = append(r.moves, [2]string{from, to})
	case "replace":
		r.edits = append(r.edits, [2]string{from, to})
	case "order":
		both("shop/shop.go", "type Order struct {\n\tName string\n\tCost int\n\tGift bool\n}\n")
	case "other":
		both("shop/other_test.go", "func TestOther(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in []bool) {})\n}\n")
	default:
		return fmt.Errorf("unknown line %q", line)
	}
	return nil
}

// bug is the package with the planted bug. No search finds the number, because it is compared as
// a product.
const bug = `package bug

// At fails for one number: 73214.
func At(t interface {
	Helper()
	Errorf(format string, args ...any)
}, n int) {
	t.Helper()
	if uint32(n)*2654435761 == 0xbd84ca9e {
		t.Errorf("unlucky %d", n)
	}
}
`

// imports are the packages that sources may use, by the names that they have there.
var imports = map[string]string{
	"testing": "testing", "reflect": "reflect", "strings": "strings",
	"allele": "github.com/allele-go/allele", "bug": "example.com/m/bug",
	"shop": "example.com/m/shop", "money": "example.com/m/money", "suite": "example.com/m/suite",
}

var comment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// source returns a Go file with declarations. It adds the package clause if there is none, and
// imports what they use.
func source(pkg, text string) string {
	clause := "package " + pkg + "\n"
	if strings.HasPrefix(text, "package ") {
		clause, text, _ = strings.Cut(text, "\n")
	}
	code := comment.ReplaceAllString(text, "")
	var used strings.Builder
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if regexp.MustCompile(`(?:^|[^.\w])` + name + `\.[A-Z]`).MatchString(code) {
			fmt.Fprintf(&used, "\t%q\n", imports[name])
		}
	}
	if used.Len() == 0 {
		return clause + "\n" + text
	}
	return clause + "\nimport (\n" + used.String() + ")\n\n" + text
}
