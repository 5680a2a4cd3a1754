//go:build go1.25

package property

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// For a function that go test does not know, the text names the command that declares it. It
// does not if the source has no such function, because the command would find nothing.
func TestHelp(t *testing.T) {
	const declare = "allele test finds more types and functions in the source; to declare them for go test, run: " +
		"go run github.com/allele-go/allele/cmd/allele facts -write example.com/m/x\n" +
		"if the type or function was renamed or removed, edit or delete the file"
	for _, c := range []struct{ name, source, fun, want string }{
		{"the source cannot be read", "", "Plant", declare},
		{"it is declared", "func Plant(k int) *T { return nil }", "Plant", declare},
		{"it may be declared elsewhere", "func Sow(k int) *T { return nil }", "", declare},
		{"it is not declared", "func Sow(k int) *T { return nil }", "Plant",
			"no such type or function was found; if it was renamed or removed, edit or delete the file"},
	} {
		old := Home
		Home = filepath.Join(t.TempDir(), "x")
		t.Cleanup(func() { Home = old })
		if err := os.Mkdir(Home, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"../go.mod": "module example.com/m\n\nrequire github.com/allele-go/allele v0.1.0\n", "x.go": "package x\n\n" + c.source} {
			if err := os.WriteFile(filepath.Join(Home, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p := &Property{Job: &job.Job{}, Place: Place{Pkg: "example.com/m/x", Src: codec.SourceConsts(Home)}}
		loss := codec.Loss{Cause: codec.NoBuilder, Call: true, Name: c.fun}
		if got := help(p, &NotRun{"a.case", loss}); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A value that the options exclude is not an unknown function, also if it is written as a call.
func TestHelpForExcludedInputs(t *testing.T) {
	for cause, want := range map[codec.Cause]string{
		codec.Excluded: "the options of this Check exclude the input; if that is intended, delete the file",
		codec.NoText:   "the text makes no value any more; if that is intended, delete the file",
	} {
		p := &Property{Job: &job.Job{}, Place: Place{Pkg: "example.com/m/x", Src: codec.SourceConsts("")}}
		if got := help(p, &NotRun{"a.case", codec.Loss{Cause: cause, Call: true, Name: "value3"}}); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// A builder that reads a text with a method has no name that the user knows, so the method is named.
func TestBuilderName(t *testing.T) {
	p := Place{Pkg: "example.com/m/x"}
	for want, f := range map[string]*schema.Func{
		"UnmarshalJSON of job.Job": {Name: "reading", Form: schema.Reader{Method: "UnmarshalJSON"}, Result: reflect.TypeFor[job.Job]()},
		"a builder of job.Job":     {Name: "func1", Result: reflect.TypeFor[job.Job]()},
		"New":                      {Name: "x.New", Named: true, Pkg: "example.com/m/x", Result: reflect.TypeFor[job.Job]()},
	} {
		if got := p.builderName(f); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
