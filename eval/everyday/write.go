package everyday

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// meterSource is a module of its own, so that it has no probes.
//
//go:embed testdata/meter.go.txt
var meterSource string

const testSource = `package %[1]s

import (
%[2]s	"testing"

	"github.com/allele-go/allele"
	"meter"
)

func TestType(t *testing.T) {
	allele.Check(t, func(t *allele.T, in %[3]s) {
		meter.Count(%[1]q, &in, func() bool { return meets(in) })
	}, %[5]s)
}

func meets(in %[3]s) bool {
	%[4]s
}
`

const rapidSource = `//go:build rapid

package %[1]s

import (
%[2]s	"testing"

	"meter"
	"pgregory.net/rapid"
)

func TestRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.Make[%[3]s]().Draw(t, "in")
		meter.Count(%[1]q, &in, func() bool { return meets(in) })
	})
}
`

// write writes the module of the user.
func (l *laboratory) write(library string) error {
	mod := "module types\n\ngo 1.25.0\n\nrequire meter v0.0.0\n\nreplace meter => ./meter\n\n" +
		"require github.com/allele-go/allele v0.0.0\n\nreplace github.com/allele-go/allele => " + library + "\n\n"
	required := []string{"pgregory.net/rapid v1.3.0"}
	files := map[string]string{"meter/go.mod": "module meter\n\ngo 1.25.0\n", "meter/meter.go": meterSource}
	for _, r := range l.rows {
		for _, m := range r.modules {
			if !slices.Contains(required, m) {
				required = append(required, m)
			}
		}
		if r.copied != "" {
			text, err := copied(r)
			if err != nil {
				return err
			}
			files[r.name+"/pb/message.go"] = text
		}
		files[r.name+"/types.go"] = "package " + r.name + "\n\n" + r.source
		advice := ""
		if l.arm.advised {
			advice = r.advice
			r.imports = append(slices.Clone(r.imports), r.needs...)
		}
		if l.arm.name == "rapid" { // the other tests must not count
			files[r.name+"/rapid_test.go"] = fmt.Sprintf(rapidSource, r.name, imports(r, true), r.in)
			files[r.name+"/meets_test.go"] = rapidMeets(r)
			continue
		}
		meets := strings.ReplaceAll(r.meets, "\n", "\n\t")
		files[r.name+"/types_test.go"] = fmt.Sprintf(testSource, r.name, imports(r, false), r.in, meets, advice)
	}
	files["go.mod"] = mod + "require (\n\t" + strings.Join(required, "\n\t") + "\n)\n"
	for name, text := range files {
		file := filepath.Join(l.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// imports writes the import lines of a test. The file with a test of rapid needs only the packages
// of the type.
func imports(r row, typeOnly bool) string {
	var out strings.Builder
	for _, path := range r.imports {
		alias, rest, ok := strings.Cut(path, " ")
		if !ok {
			alias, rest = "", path
		}
		name := alias
		if name == "" {
			name = rest[strings.LastIndexByte(rest, '/')+1:]
		}
		if typeOnly && !strings.Contains(r.in, name+".") {
			continue
		}
		fmt.Fprintf(&out, "\t%s %q\n", alias, rest)
	}
	return out.String()
}

// rapidMeets writes the measure alone.
func rapidMeets(r row) string {
	return fmt.Sprintf("package %s\n\nimport (\n%s)\n\nfunc meets(in %s) bool {\n\t%s\n}\n", r.name, imports(r, false), r.in, r.meets)
}

// copied returns the source of a generated package, as if the user had generated it.
func copied(r row) (string, error) {
	path, version, _ := strings.Cut(rpc, " ")
	dir, err := foreign.At(path, version).Download()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, r.copied, "error_details.pb.go"))
	return string(text), err
}
