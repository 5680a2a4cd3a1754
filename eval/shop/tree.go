package shop

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// tree is a module of many packages. The packages at the bottom import nothing of the module, those
// in the middle import some of the bottom, and those at the top import some of the middle.
type tree struct {
	bottom, middle, top int
	properties          int // that many packages have a property; they are spread over the tree
}

var (
	fullTree  = tree{bottom: 10, middle: 90, top: 200, properties: 100}
	quickTree = tree{bottom: 1, middle: 3, top: 6, properties: 3}
)

func (t tree) packages() int { return t.bottom + t.middle + t.top }

// name returns the import path of a package without the module.
func (t tree) name(i int) string {
	switch {
	case i < t.bottom:
		return fmt.Sprintf("bottom/b%d", i)
	case i < t.bottom+t.middle:
		return fmt.Sprintf("middle/m%d", i-t.bottom)
	}
	return fmt.Sprintf("top/t%d", i-t.bottom-t.middle)
}

// imports returns the packages that a package imports.
func (t tree) imports(i int) (all []int) {
	switch {
	case i < t.bottom:
		return nil
	case i < t.bottom+t.middle:
		all = []int{0, i % t.bottom, i * 7 % t.bottom} // all use the first
	default:
		for k := range 3 {
			all = append(all, t.bottom+(i*3+k*31)%t.middle)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// property reports whether a package has a property, and tested whether it has tests.
func (t tree) property(i int) bool {
	return i*t.properties/t.packages() != (i+1)*t.properties/t.packages()
}
func (t tree) tested(i int) bool { return t.property(i) || i%4 == 0 }

// dependants returns the packages with tests that import a package, directly or not, and itself.
func (t tree) dependants(of int) (all []int) {
	depends := make([]bool, t.packages())
	for i := range depends {
		depends[i] = i == of || slices.ContainsFunc(t.imports(i), func(k int) bool { return depends[k] })
		if depends[i] && t.tested(i) {
			all = append(all, i)
		}
	}
	return all
}

// files returns the files of the module.
func (t tree) files() map[string]string {
	files := map[string]string{"meter/meter.go": meterSource, "scratch.go": "package scratch\n"}
	for i := range t.packages() {
		dir := t.name(i)
		pkg := path.Base(dir)
		files[dir+"/"+pkg+".go"] = t.source(i, 0)
		if t.tested(i) {
			files[dir+"/"+pkg+"_test.go"] = t.tests(i, pkg)
		}
	}
	return files
}

// source returns the code of a package. version changes one function.
func (t tree) source(i, version int) string {
	dir := t.name(i)
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"sort\"\n\t\"strings\"\n", path.Base(dir))
	for _, k := range t.imports(i) {
		fmt.Fprintf(&b, "\n\t%q", "scratch/"+t.name(k))
	}
	fmt.Fprintf(&b, "\n)\n\n// Version is changed by the experiment.\nfunc Version() int { return %d }\n", version)
	b.WriteString(record)
	for n := range 12 {
		fmt.Fprintf(&b, stepSource, n, n+i%5, n, i)
	}
	b.WriteString("\n// Sum adds what the imported packages compute.\nfunc Sum(x int) int {\n\ttotal := Version() - Version()\n")
	for n := range 12 {
		fmt.Fprintf(&b, "\ttotal += Step%d(x)\n", n)
	}
	for _, k := range t.imports(i) {
		fmt.Fprintf(&b, "\ttotal += %s.Sum(x / 2)\n", path.Base(t.name(k)))
	}
	b.WriteString("\treturn total % 1000003\n}\n")
	return b.String()
}

const record = `
// Record is the data of the package.
type Record struct {
	Name  string
	Count int
	Tags  []string
}

// String returns a record as text.
func (r Record) String() string {
	tags := append([]string{}, r.Tags...)
	sort.Strings(tags)
	return fmt.Sprintf("%s=%d[%s]", strings.ToLower(r.Name), r.Count, strings.Join(tags, ","))
}

// Encode returns a record as JSON.
func Encode(r Record) ([]byte, error) { return json.Marshal(r) }

// Decode reads what Encode has written.
func Decode(data []byte) (r Record, err error) { return r, json.Unmarshal(data, &r) }
`

const stepSource = `
// Step%d is one of the functions of the package.
func Step%[1]d(x int) int {
	switch {
	case x < 0:
		x = -(x + 1)
	case x %% 7 == %[2]d %% 7:
		return x/7 + %[3]d
	case x > %[4]d && x < 100:
		for k := 0; k < 3; k++ {
			if x += k; x %% 2 == 0 {
				x /= 2
			}
		}
	}
	return x %% 1009
}
`

// tests returns the tests of a package.
func (t tree) tests(i int, pkg string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n\n", pkg)
	if t.property(i) {
		b.WriteString("\t\"github.com/allele-go/allele\"\n")
	}
	b.WriteString("\t\"scratch/meter\"\n)\n\nfunc TestMain(m *testing.M) { meter.Main(m) }\n" + unit)
	if t.property(i) {
		b.WriteString(property)
	}
	return b.String()
}

const unit = `
func TestSum(t *testing.T) {
	for x := -3; x < 3; x++ {
		if got := Sum(x); got != Sum(x) {
			t.Error(got)
		}
	}
}
`

const property = `
func TestRecord(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		R Record
		X int
	}) {
		data, err := Encode(in.R)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Decode(data); err != nil || r.Count != in.R.Count || Sum(in.X) != Sum(in.X) {
			t.Fatal(r, err)
		}
	})
}
`

// meterSource is a TestMain that adds the CPU time of a process of the command to a file, with the
// mode of its job.
const meterSource = `package meter

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// Main runs the tests.
func Main(m *testing.M) {
	code := m.Run()
	var job struct{ Mode string }
	if file := os.Getenv("SHOP_METER"); file != "" && json.Unmarshal([]byte(os.Getenv("ALLELE_JOB")), &job) == nil {
		var self, children syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &self)
		syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err == nil {
			fmt.Fprintln(f, job.Mode, self.Utime.Nano()+self.Stime.Nano()+children.Utime.Nano()+children.Stime.Nano())
			f.Close()
		}
	}
	os.Exit(code)
}
`
