//go:build go1.25

package facts

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

var importedFiles = map[string]string{
	"go.mod": "module scratch\n\ngo 1.25\n\nrequire (\n\texample.com/api v0.0.0\n\tgithub.com/allele-go/allele v0.0.0\n)\n\n" +
		"replace (\n\texample.com/api => ./api\n\tgithub.com/allele-go/allele => ./stub\n)\n",
	"stub/go.mod":  "module github.com/allele-go/allele\n\ngo 1.25\n",
	"stub/stub.go": declaredFiles["stub/stub.go"],
	"api/go.mod":   "module example.com/api\n\ngo 1.25\n",
	"api/api.go": `package api

type Phase string

const (
	Pending Phase = "Pending"
	Running Phase = "Running"
	Active  Phase = "Running" // another name
	hidden  Phase = "hidden"
	Untyped       = "Untyped"
)

type Signal int

const (
	Hup Signal = iota + 1
	Int
)

type Pod struct {
	Phase  Phase
	signal Signal
	Deep   []*Deep
}

type Deep struct{ Kind Kind }

type Kind uint8

const (
	B Kind = 2
	A Kind = 1
)

type Number int

const One Number = 1
`,
	"api/sys/sys.go":   "package sys\n\ntype Sys int\n",
	"api/sys/const.go": "//go:build !never\n\npackage sys\n\nconst (\n\tA Sys = iota\n\tB\n)\n",
	"job/job.go": `package job

import (
	"io/fs"
	"net/http"
	"time"

	"example.com/api"
	"example.com/api/sys"
)

type Job struct {
	month time.Month
	Day   map[time.Weekday]bool
	Every time.Duration // its constants are units
	Mode  fs.FileMode   // its constants are flags
	Same  http.SameSite
	Pod   *api.Pod
	N     api.Number // has one constant
	Sys   sys.Sys    // its constants depend on build constraints, so they are not written
}
`,
	"job/job_test.go": "package job\n\nimport (\n\t\"reflect\"\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
		"func TestX(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in Job) {})\n\tallele.Check(t, func(t *allele.T, in []reflect.ChanDir) {})\n}\n",
}

// The constants of an imported type are facts, if a type of the package contains it or a
// property takes it. What is unexported there is left out.
func TestImportedConstants(t *testing.T) {
	prog, x := scratch(t, importedFiles)
	var got []string
	for _, pkg := range prog.Scope {
		for _, l := range x.Package(pkg).Lines() {
			if l.Kind == "constants" {
				got = append(got, l.Text)
			}
		}
	}
	want := strings.Join([]string{
		"time.Month is time.January, time.February, time.March, time.April, time.May, time.June, " +
			"time.July, time.August, time.September, time.October, time.November, time.December",
		"time.Weekday is time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday",
		"http.SameSite is http.SameSiteDefaultMode, http.SameSiteLaxMode, http.SameSiteStrictMode, http.SameSiteNoneMode",
		"api.Phase is api.Active, api.Pending",
		"api.Kind is api.A, api.B",
		"sys.Sys is sys.A, sys.B",
		"reflect.ChanDir is reflect.RecvDir, reflect.SendDir, reflect.BothDir",
	}, "\n")
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	files, err := x.Declarations("scratch/job")
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	testkit.Golden(t, "testdata/declared_imported.golden", files[0].Text)
}
