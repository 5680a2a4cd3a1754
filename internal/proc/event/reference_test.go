//go:build go1.25

package event

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

const (
	page    = "../../../docs/guide/events.md"
	heading = "## All fields\n"
)

// The page about events lists all kinds and fields that the command prints, with their comments. With -update
// the test writes this part of the page.
func TestReference(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), heading)
	if !ok {
		t.Fatalf("%s has no heading %q", page, heading)
	}
	testkit.Golden(t, page, []byte(before+reference(t)))
}

func reference(t *testing.T) string {
	src := parseSource(t)
	var b strings.Builder
	b.WriteString(heading + "\nA test writes this part of the page from the source of `internal/proc/event`. " +
		"Fields that are zero, empty or\nunknown are missing. Texts and lists that are too long are shortened.\n\n" +
		"Every line has these fields, and then the object of its kind:\n\n")
	src.table(t, &b, reflect.TypeFor[header]())
	b.WriteString("\nThe kinds:\n\n| kind | an event of this kind |\n|---|---|\n")
	var kinds []reflect.Type
	for _, body := range public {
		at := reflect.TypeOf(body)
		kinds = append(kinds, at)
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", body.kind(), body.kind(), src.about(t, at.Name(), "reports "))
	}
	for _, at := range kinds {
		fmt.Fprintf(&b, "\n### %s\n\nThe event %s.\n\n", lower(at), src.about(t, at.Name(), "reports "))
		src.table(t, &b, at)
	}
	for _, at := range parts(public) {
		if !slices.Contains(kinds, at) {
			fmt.Fprintf(&b, "\n### %s\n\nThis part %s.\n\n", lower(at), src.about(t, at.Name(), "is ", "counts "))
			src.table(t, &b, at)
		}
	}
	for _, name := range []string{"Verdict", "State", "Death"} {
		fmt.Fprintf(&b, "\n### %s\n\n| value | meaning |\n|---|---|\n%s", strings.ToLower(name), src.values[name])
	}
	return b.String()
}

func lower(at reflect.Type) string { return strings.ToLower(at.Name()) }

// source is what the source says about types, fields and constants.
type source struct {
	types  map[string]string // type -> its comment
	fields map[string]string // Type.Field -> its comment
	values map[string]string // type of constants -> rows of a table
	bodies []string          // types that have a method kind
}

func parseSource(t *testing.T) source {
	t.Helper()
	src := source{map[string]string{}, map[string]string{}, map[string]string{}, nil}
	for _, file := range []string{"event.go", "kinds.go", "parts.go", "line.go", "../death.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			src.add(d)
		}
	}
	src.values["Death"] = src.values["Kind"] // of package proc
	return src
}

func (s *source) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.Name == "kind" && d.Recv != nil {
			s.bodies = append(s.bodies, d.Recv.List[0].Type.(*ast.Ident).Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.types[spec.Name.Name] = strings.Join(strings.Fields(d.Doc.Text()), " ")
				if st, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range st.Fields.List {
						for _, name := range f.Names {
							s.fields[spec.Name.Name+"."+name.Name] = strings.TrimSpace(f.Comment.Text())
						}
					}
				}
			case *ast.ValueSpec:
				s.constant(spec)
			}
		}
	}
}

// constant adds a constant like Passed Verdict = "passed" // comment.
func (s *source) constant(c *ast.ValueSpec) {
	of, ok := c.Type.(*ast.Ident)
	if !ok || len(c.Values) != 1 {
		return
	}
	if lit, ok := c.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
			s.values[of.Name] += fmt.Sprintf("| `%s` | %s |\n", text, cell(strings.TrimSpace(c.Comment.Text())))
		}
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// about returns the comment of a type after its name, without the last period. It must
// continue with one of the verbs.
func (s *source) about(t *testing.T, name string, verbs ...string) string {
	text := s.types[name]
	for _, verb := range verbs {
		if rest, ok := strings.CutPrefix(text, name+" "+verb); ok {
			return cell(strings.TrimSuffix(verb+rest, "."))
		}
	}
	t.Errorf("the comment of %s must begin with its name and one of %q", name, verbs)
	return text
}

// table writes the fields of a type.
func (s *source) table(t *testing.T, b *strings.Builder, at reflect.Type) {
	if at.NumField() == 0 {
		b.WriteString("Its object is empty.\n")
		return
	}
	b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for i := range at.NumField() {
		f := at.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		comment := s.fields[at.Name()+"."+f.Name]
		if comment == "" {
			t.Errorf("%s.%s has no comment", at.Name(), f.Name)
		}
		if strings.HasSuffix(comment, "missing in -json") {
			continue
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, jsonType(f.Type), cell(comment))
	}
}

// jsonType returns the name of a type for readers of JSON, with a link to types of this page.
func jsonType(at reflect.Type) string {
	switch at.Kind() {
	case reflect.Slice:
		return "list of " + strings.TrimSuffix(jsonType(at.Elem()), "s") + "s"
	case reflect.Pointer:
		return jsonType(at.Elem())
	case reflect.String:
		switch at.Name() {
		case "Verdict", "State":
			return fmt.Sprintf("[%[1]s](#%[1]s)", lower(at))
		case "Kind":
			if at != reflect.TypeFor[Kind]() {
				return "[death](#death)"
			}
		}
		return "text"
	case reflect.Bool:
		return "bool"
	case reflect.Struct:
		if at.PkgPath() != reflect.TypeFor[Event]().PkgPath() {
			return "time"
		}
		return fmt.Sprintf("[%[1]s](#%[1]s)", lower(at))
	}
	return "number"
}
