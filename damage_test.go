//go:build go1.25

package allele

import (
	"flag"
	"os"
	"strings"
	"testing"
)

type invoice struct {
	Name  string
	Price int
	To    struct{ Zip string }
	Lines []entry
}

type entry struct{ Text string }

// A stored case that no longer is the input that was stored, or is not run, is named with the
// command that repairs it. With ALLELE_STRICT=1 it fails the test.
func TestDamagedCases(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a renamed field", `invoice{Name: "a", Cost: 7}`,
			"a.case:1: in.Cost: invoice has no field Cost, so the case is another input than the one that was stored; " +
				"if Cost is Price now, run: go test -run '^TestX$' github.com/allele-go/allele -allele.rewrite Cost=Price; " +
				"if it was removed: -allele.rewrite Cost="},
		{"a field that was moved into a struct", `invoice{Zip: "1"}`, "if Zip is To.Zip now, run: go test "},
		{"a struct whose fields were moved out of it", `invoice{Money: money{Price: 7}}`,
			"if the fields of Money are fields of invoice now, run: go test -run '^TestX$' github.com/allele-go/allele -allele.rewrite Money=.; if it was removed: -allele.rewrite Money="},
		{"a field of one name in two types", `invoice{Title: "a", Lines: []entry{{Title: "b"}}}`,
			"if Title is Name now, run: go test -run '^TestX$' github.com/allele-go/allele -allele.rewrite invoice.Title=Name,entry.Title=Text; " +
				"if it was removed: -allele.rewrite invoice.Title=,entry.Title="},
		{"a removed field", `invoice{Price: 7, Gift: true}`,
			"if it was removed, run: go test -run '^TestX$' github.com/allele-go/allele -allele.rewrite Gift=; if it was renamed: -allele.rewrite Gift=NEW"},
		{"a folder that was renamed without its cases", "// test TestOld\n\ninvoice{Price: 7}",
			"a.case is not run: its first lines name TestOld; if that is TestX now, run: go tool allele corpus mv TestOld TestX github.com/allele-go/allele"},
		{"a case that an assumption discards", "// verdict failed\n\ninvoice{Price: -3}", "a.case checks nothing: it was discarded by damage_test.go:"},
		{"a case of another test in the same folder, on Windows", "// test Testx\n\ninvoice{Price: 7}", ""},
		{"a case that passed, and that an assumption discards", "// verdict passed\n\ninvoice{Price: -3}", ""},
		{"nothing", `invoice{Price: 7}`, ""},
	} {
		for _, strict := range []string{"", "1"} {
			t.Run(c.name+strict, func(t *testing.T) {
				t.Setenv("ALLELE_STRICT", strict)
				write(t, map[string]string{"a.case": c.text})
				r := recordHere(t, "TestX", func(t testing.TB) {
					Check(t, func(t *T, in invoice) { t.Assume(in.Price != -3) })
				})
				if got := r.text(); r.failed != (strict == "1" && c.want != "") || !strings.Contains(got, c.want) ||
					len(r.lines) != map[bool]int{true: 1}[c.want != ""] {
					t.Errorf("failed is %v\n%s", r.failed, got)
				}
			})
		}
	}
}

// If a field may have become one of several, the line names them, and the user decides.
func TestDamageNotCertain(t *testing.T) {
	write(t, map[string]string{"a.case": `struct{}{Cost: 7, Titles: "a"}`})
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			Tax, Price int
			Title      string
		}) {
		})
	})
	r.has(t, "in.Cost: struct has no field Cost, so the case is another input than the one that was stored; if Cost is Tax or Price now, run: "+
		"go test -run '^TestX$' github.com/allele-go/allele -allele.rewrite Cost=NEW,Titles=Title; if it was removed: -allele.rewrite Cost=,Titles=")
}

// -allele.rewrite rewrites the cases and runs them. The lines above the expression stay.
func TestRewrite(t *testing.T) {
	defer func() { *flagRewrite = "" }()
	write(t, map[string]string{
		"a.case": "// allele case 1\n// test     TestX\n// Reported by Jo.\n\ninvoice{Name: \"a\", Cost: 7, Zip: \"1\", Gift: true}\n",
		"b.case": "invoice{Price: 8}\n",
		"c.case": "// test TestOther\n\ninvoice{Cost: 8}\n",
		"d.case": "invoice{Other: 9}\n",
	})
	*flagRewrite = "Cost=Price,Zip=To.Zip,Gift="
	check := func(t testing.TB) {
		Check(t, func(t *T, in invoice) {
			if in.Price == 7 && in.To.Zip == "1" {
				t.Error("seven")
			}
		})
	}
	r := recordHere(t, "TestX", check)
	r.has(t, "rewrote testdata/allele/TestX/a.case", "invoice has no field Other", "property failed: seven")
	if n := strings.Count(r.text(), "rewrote"); n != 1 {
		t.Errorf("%d cases were rewritten:\n%s", n, r.text())
	}
	data, err := os.ReadFile("testdata/allele/TestX/a.case")
	const want = "// allele case 1\n// test     TestX\n// Reported by Jo.\n\ninvoice{Name: \"a\", Price: 7, To: struct{ Zip string }{Zip: \"1\"}}\n"
	if string(data) != want {
		t.Errorf("%s %v, want\n%s", data, err, want)
	}
	*flagRewrite = "Cost"
	recordHere(t, "TestX", check).has(t, "allele: -allele.rewrite=Cost: want fields as in Old=New")
}

// A mistake in -allele.rewrite fails the test. A field that no stored case of a test has is one only if
// -run names this test: of several tests, others may have such cases.
func TestRewriteMistakes(t *testing.T) {
	defer func(old string) { *flagRewrite = ""; flag.Set("test.run", old) }(flag.Lookup("test.run").Value.String())
	const stored = "invoice{Cost: 7, Lines: []entry{{Text: \"a\"}}}\n"
	for _, c := range []struct{ name, run, renames, want string }{
		{"no such new field", "", "Cost=Prise", "allele: -allele.rewrite did not change testdata/allele/TestX/a.case:1: in.Prise: invoice has no field Prise"},
		{"no such new field of a part", "", "Cost=To.Zap", "in.To.Zap: struct has no field Zap"},
		{"a new field of another type", "", "Cost=Lines", "did not change testdata/allele/TestX/a.case:1: in.Lines: the field is set twice"},
		{"another value", "", "Cost=Name", "did not change testdata/allele/TestX/a.case:1: in.Name: "},
		{"no struct", "", "Cost=.", "did not change testdata/allele/TestX/a.case:1: in: 7 has no fields"},
		{"twice", "", "Cost=Price,Cost=Name", "allele: -allele.rewrite=Cost=Price,Cost=Name: Cost is renamed twice"},
		{"no such field", "^TestX$", "Foo=Bar", "allele: -allele.rewrite Foo=Bar: no stored case of TestX has a field Foo that its type does not have"},
		{"no such type", "TestX", "Nope.Cost=Price", "-allele.rewrite Nope.Cost=Price: no stored case of TestX has a field Cost in a Nope that the type does not have"},
		{"one of two", "TestX", "Cost=Price,Foo=", "-allele.rewrite Foo=: no stored case of TestX has a field Foo"},
		{"a field that the type has", "TestX", "Lines=Name", "-allele.rewrite Lines=Name: no stored case of TestX has a field Lines that its type does not have"},
		{"others may have the field", "", "Foo=Bar", ""},
		{"another test", "TestXY", "Foo=Bar", ""},
		{"no mistake", "TestX", "invoice.Cost=Price", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, map[string]string{"a.case": stored})
			*flagRewrite = c.renames
			flag.Set("test.run", c.run)
			r := recordHere(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in invoice) {})
				Check(t, func(t *T, in struct{ A int }) {}, Name("empty")) // has no cases
			})
			if r.failed != (c.want != "") || !strings.Contains(r.text(), c.want) || strings.Count(r.text(), "allele: -allele.rewrite") > 1 && c.name != "twice" { // each Check says that it cannot read the flag
				t.Errorf("failed is %v\n%s", r.failed, r.text())
			}
		})
	}
}

// The first Check of a test binary names folders of cases that no test of the package uses.
func TestStrayCases(t *testing.T) {
	const want = "testdata/allele/TestOld is not run: there is no TestOld in the package; " +
		"if it is TestX now, run: go tool allele corpus mv TestOld TestX github.com/allele-go/allele; if you removed it, delete the folder"
	for _, strict := range []string{"", "1"} {
		t.Setenv("ALLELE_STRICT", strict)
		inEmptyPackage(t)
		os.MkdirAll("testdata/allele/TestOld", 0o777)
		os.WriteFile("testdata/allele/TestOld/fail-1.case", []byte("// test TestOld\n\ninvoice{Price: 7}\n"), 0o666)
		os.WriteFile("x_test.go", []byte("package x\n\nfunc TestX(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in invoice) {})\n}\n"), 0o666)
		r := recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in invoice) {})
			Check(t, func(t *T, in invoice) {})
		})
		if got := r.text(); strings.Count(got, want) != 1 || len(r.lines) != 1 || r.failed != (strict != "") {
			t.Errorf("failed is %v\n%s", r.failed, got)
		}
	}
}

// A case with a nil may be older than the declaration of the variants. It fails, with a note.
func TestNilOfVariants(t *testing.T) {
	write(t, map[string]string{"a.case": "[]coin{nil, penny{}}"})
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in []coin) {
			for _, c := range in {
				if c == nil {
					t.Error("nil")
				}
			}
		}, Variants[coin](penny{}))
	})
	r.has(t, "note: a nil allele.coin is never generated, because the type has variants; if it is not intended, delete the file")
}
