//go:build go1.25

package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// forms are the comparisons of Go: an expression, its parameters, and arguments.
var forms = []struct{ expr, params, args string }{
	{"n == 1000", "n int", "7"},
	{"n != 1000", "n int", "7"},
	{"n < 1000", "n int", "7"},
	{"n >= 1000", "n int", "7"},
	{"1000 > n", "n int", "7"},
	{"n == m", "n, m int", "7, 1000"},
	{"n < m", "n, m int", "7, 1000"},
	{"n == -3", "n int8", "7"},
	{"n == 1000", "n uint16", "7"},
	{"n == 1000", "n int32", "7"},
	{"n == 1000", "n int64", "7"},
	{"n == 1000", "n uint64", "7"},
	{"n == 1000", "n color", "7"},
	{"int(n) == 1000", "n uint16", "7"},
	{"c == 'x'", "c byte", "'a'"},
	{"c == 'ж'", "c rune", "'a'"},
	{"b == c", "b, c bool", "true, false"},
	{"x == 0.5", "x float64", "7"},
	{"x < y", "x, y float64", "7, 8"},
	{`s == "rosebud"`, "s string", `"gamma"`},
	{`s == "a text longer than a register"`, "s string", `"gamma"`},
	{"s == r", "s, r string", `"gamma", "rosebud"`},
	{`s < "rosebud"`, "s string", `"gamma"`},
	{`s == ""`, "s string", `"gamma"`},
	{`s[0] == 'x'`, "s string", `"gamma"`},
	{"len(s) == 1000", "s string", `"gamma"`},
	{"len(l) > n", "l []int, n int", "nil, 1000"},
	{`strings.HasPrefix(s, "rose")`, "s string", `"gamma"`},
	{`strings.HasSuffix(s, "bud")`, "s string", `"gamma"`},
	{`strings.Contains(s, "bud")`, "s string", `"gamma"`},
	{`strings.EqualFold(s, "ROSEBUD")`, "s string", `"gamma"`},
	{`strings.TrimPrefix(s, "rose") == "bud"`, "s string", `"gamma"`},
	{`strings.Compare(s, "rosebud") == 0`, "s string", `"gamma"`},
	{"slices.Equal(l, []int{1000})", "l []int", "[]int{7}"},
	{"bytes.Equal(b, c)", "b, c []byte", `[]byte("gamma"), []byte("rosebud")`},
	{`string(b) == "rosebud"`, "b []byte", `[]byte("gamma")`},
	{`m["rosebud"] == 1000`, "m map[string]int", `map[string]int{"gamma": 7}`},
	{"m[n] == \"rosebud\"", "m map[int]string, n int", `map[int]string{8: "gamma"}, 7`},
	{"x == 1000", "x any", "7"},
	{"x == y", "x, y any", "7, 1000"},
	{"x == y", "x, y any", `"gamma", "rosebud"`},
	{"a == b", "a, b [2]int", "[2]int{7, 8}, [2]int{1000, 2000}"},
	{"a == b", "a, b [9]int", "[9]int{7}, [9]int{1000}"},
	{"a == b", "a, b point", "point{7, 8}, point{1000, 2000}"},
	{"a == b", "a, b named", `named{"gamma", 7}, named{"rosebud", 1000}`},
	{"p == nil", "p *int", "nil"},
	{"few(n)", "n int", "7"},
	{"many(n)", "n int", "7"},
	{"words(s)", "s string", `"gamma"`},
	{"manyWords(s)", "s string", `"gamma"`},
	{"loop(n)", "n int", "3"},
}

const formsCode = `package a

import (
	"bytes"
	"slices"
	"strings"
)

var _ = bytes.Equal
var _ = slices.Equal[[]int]
var _ = strings.Cut

type color uint32
type point struct{ x, y int }
type named struct {
	name string
	n    int
}

// few is a switch of three cases, many one of eight.
func few(n int) bool {
	switch n {
	case 100, 200, 300:
		return true
	}
	return false
}

func many(n int) bool {
	switch n {
	case 100, 200, 300, 400, 500, 600, 700, 800:
		return true
	}
	return false
}

// words is a switch of three texts, manyWords one of nine.
func words(s string) bool {
	switch s {
	case "alpha", "delta", "rosebud":
		return true
	}
	return false
}

func manyWords(s string) bool {
	switch s {
	case "alpha", "delta", "rosebud", "one", "two", "three", "four", "five", "six":
		return true
	}
	return false
}

// loop compares its counter.
func loop(n int) bool {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i
	}
	return sum == 1000
}

`

// operandBinary builds the operand binary of a scratch module and returns what it
// prints.
func operandBinary(t *testing.T, files map[string]string) string {
	t.Helper()
	o := rewritten(t, Config{}, files)
	bin := filepath.Join(o.config.Work, "scratch.operands")
	if err := o.Operands(testkit.Inside, bin); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(bin).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// listen is the part of a test that collects what was compared.
const listen = `
	recorded, on := "", false
	record := func(format string, x, y any, rest ...any) {
		if on {
			on = false // this code compares too
			if s := fmt.Sprintf(format, append([]any{x, y}, rest...)...); x != y && !strings.Contains(recorded, s) {
				recorded += s
			}
			on = true
		}
	}
	hook.Numbers = func(a, b uint64, width uint8, _ uint) { record("%d, %d (%d); ", a, b, width) }
	hook.Texts = func(x, y string, _ uint) { record("%q, %q; ", x, y) }
	defer func() { hook.Numbers, hook.Texts = nil, nil }()
`

const imports = "import (\n\t\"fmt\"\n\t\"strings\"\n\t\"testing\"\n\n\t\"github.com/allele-go/allele/internal/hook\"\n)\n"

// The guide has a table of what is recorded of each form. The compiler decides
// what is recorded, so another version of Go may need another table.
func TestCaptured(t *testing.T) {
	var code, test strings.Builder
	code.WriteString(formsCode)
	test.WriteString("package a\n\n" + imports + "\nfunc TestForms(t *testing.T) {" + listen)
	for i, f := range forms {
		fmt.Fprintf(&code, "//go:noinline\nfunc f%d(%s) bool { return %s }\n\n", i, f.params, f.expr)
		fmt.Fprintf(&test, "\trecorded, on = \"\", true\n\tf%d(%s)\n\ton = false\n\tfmt.Println(\"FORM\", recorded)\n", i, f.args)
	}
	test.WriteString("}\n")
	out := operandBinary(t, map[string]string{"a.go": code.String(), "a_test.go": test.String()})
	switches := strings.NewReplacer("few(n)", "switch n", "many(n)", "switch n, eight cases", "words(s)", "switch s", "manyWords(s)", "switch s, nine cases", "loop(n)", "i < n in a loop")
	table := "| comparison | of | with | recorded (bytes) |\n|---|---|---|---|\n"
	i := 0
	for line := range strings.Lines(out) {
		if recorded, ok := strings.CutPrefix(line, "FORM "); ok {
			f := forms[i]
			if recorded = strings.Trim(recorded, "; \n"); recorded == "" {
				recorded = "nothing"
			}
			table += fmt.Sprintf("| `%s` | `%s` | `%s` | %s |\n", switches.Replace(f.expr), f.params, f.args, recorded)
			i++
		}
	}
	if i != len(forms) {
		t.Fatalf("%d of %d forms ran\n%s", i, len(forms), out)
	}
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Logf("the golden file is for go1.26; %s has\n%s", runtime.Version(), table)
		return
	}
	testkit.Golden(t, filepath.Join("testdata", "captured.golden"), []byte(table))
	note := filepath.Join(testkit.Root(t), "docs", "notes", "operands.md")
	if page, err := os.ReadFile(note); err != nil || !strings.Contains(string(page), table) {
		t.Errorf("docs/notes/operands.md has another table: copy the golden file into it (%v)", err)
	}
}

// Every package in scope records its comparisons, including its tests. No other
// package does.
func TestEveryPackageRecords(t *testing.T) {
	const compares = "func Big(n int) bool { return n == 424242 }\n"
	out := operandBinary(t, map[string]string{
		"a.go":      "package a\n\n" + compares,
		"b/b.go":    "package b\n\n//go:noinline\n" + strings.Replace(compares, "424242", "434343", 1),
		"a_test.go": "package a\n\n//go:noinline\nfunc inTest(n int) bool { return n == 444444 }\n\nvar InTest = inTest\n",
		"x_test.go": "package a_test\n\n" + strings.Replace(imports, ")\n", "\n\ta \"github.com/allele-go/allele/examples/scratch\"\n\t\"github.com/allele-go/allele/examples/scratch/b\"\n)\n", 1) + `
//go:noinline
func external(n int) bool { return n == 454545 }

func TestAll(t *testing.T) {` + listen + `
	on = true
	a.Big(1)
	b.Big(1)
	a.InTest(1)
	external(1)
	on = false
	fmt.Println("RECORDED", recorded)
	for _, f := range hook.Tries {
		recorded, on = "", true
		f(1)
		on = false
		fmt.Println("TRY", strings.Contains(recorded, fmt.Sprint(hook.Tried)))
	}
}
`})
	const n = " (8); "
	if want := "RECORDED 424242, 1" + n + "434343, 1" + n + "444444, 1" + n + "454545, 1" + n + "\n"; !strings.Contains(out, want) {
		t.Errorf("got %s\nwant %s", out, want)
	}
	if strings.Count(out, "TRY true") != 3 || strings.Contains(out, "TRY false") {
		t.Errorf("want three packages that record\n%s", out)
	}
}

// A version of Go with other functions is rejected.
func TestUnknownHooks(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "internal", "fuzz", "trace.go"))
	if err != nil {
		t.Skip(err)
	}
	if err := knownHooks(src); err != nil {
		t.Errorf("this Go: %v", err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"func libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)  {}", "", "has no func libfuzzerTraceCmp1(uint8, uint8, uint) {}"},
		{"func libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)", "func libfuzzerTraceCmp1(arg0, arg1 uint8)", "has no func libfuzzerTraceCmp1(uint8, uint8, uint) {}"},
		{"func libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)  {}", "func libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint) { panic(1) }", "has no func libfuzzerTraceCmp1"},
		{"package fuzz", "package cover", "has no package fuzz"},
		{"//go:linkname libfuzzerTraceCmp2 runtime.libfuzzerTraceCmp2", "", "has no //go:linkname libfuzzerTraceCmp2"},
		{"func libfuzzerTraceCmp1", "func libfuzzerTraceSwitch() {}\nfunc libfuzzerTraceCmp1", "has func libfuzzerTraceSwitch() {}"},
		{"func libfuzzerTraceCmp1", "var on bool\nfunc libfuzzerTraceCmp1", "has other declarations"},
		{"package fuzz", "package", "trace.go:"},
	} {
		err := knownHooks([]byte(strings.Replace(string(src), c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.to, err, c.want)
		}
	}
}

// A build that was kept also has an operand binary, and its files are unchanged
// for the go command.
func TestOperandsAreKept(t *testing.T) {
	b := newBench(t)
	_, o, _ := b.make()
	bin := b.made("a.operands")
	if err := o.Operands("scratch/a", bin); err != nil {
		t.Fatal(err)
	}
	files := []string{operandsName, "operands/trace.go", "operands/scratch/a/zz_allele.go"}
	stamps := func() (all string) {
		for _, f := range files {
			info, err := os.Stat(b.made(f))
			if err != nil {
				t.Fatal(err)
			}
			all += fmt.Sprintln(f, info.ModTime())
		}
		return all
	}
	before := stamps()
	how, o, _ := b.make()
	if err := o.Operands("scratch/a", bin); err != nil || how != "kept" {
		t.Fatal(how, err)
	}
	if after := stamps(); after != before {
		t.Errorf("was\n%sis\n%s", before, after)
	}
}

// With an unknown version of Go there is no operand binary. The reason is kept
// with the build.
func TestOperandsOff(t *testing.T) {
	b := newBench(t)
	_, o, l := b.make()
	o.off = "go9.9 is not supported"
	if err := o.writeManifest(identity(l, b.config)); err != nil {
		t.Fatal(err)
	}
	how, o, _ := b.make()
	if err := o.Operands("scratch/a", b.made("a.operands")); how != "kept" || err == nil || err.Error() != "go9.9 is not supported" {
		t.Error(how, err)
	}
}
