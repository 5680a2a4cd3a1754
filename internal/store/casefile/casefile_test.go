//go:build go1.25

package casefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// line renders a file as "key=value ... | expression".
func line(f File) string {
	var b strings.Builder
	for _, x := range f.Facts {
		fmt.Fprintf(&b, "%s=%s ", x.Key, x.Value)
	}
	return b.String() + "| " + f.Expr
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as the library writes it", "// allele case 1\n// test     TestX\n// verdict  failed\n\nin{K: 1}\n", "test=TestX verdict=failed | in{K: 1}"},
		{"written by hand", "&tree{K: 1 << 10} // no header", "| &tree{K: 1 << 10} // no header"},
		{"no blank line", "// test TestX\n1", "test=TestX | 1"},
		{"a comment by a person", "// allele case 1\n// why not?\n// it broke\n\n1\n", "why=not? | 1"},
		{"the first of two equal keys counts", "// test A\n// test B\n1\n", "test=A | 1"},
		{"a quoted value", "// message  \"a\\nb\"\n1\n", "message=a\nb | 1"},
		{"a comment above the expression belongs to it", "// test A\n\n// test B\n1\n", "test=A | // test B\n1"},
		{"blank lines belong to the expression", "// test A\n\n\n1\n\n", "test=A | \n1\n"},
		{"line ends of Windows", "// test A\r\n\r\nT{\r\n}\r\n", "test=A | T{\n}"},
		{"a newer format", "// x\n// allele case 2\n1", "2: case format 2: written by a newer allele; update allele to read the file"},
		{"no format number", "// allele case one\n1", `1: "one" is not a format number`},
		{"no expression", "// allele case 1\n\n\n", "3: no Go expression below the header"},
		{"empty file", "", "1: no Go expression below the header"},
		{"not text", "// test A\n\n\xff\n", "3: not text in UTF-8"},
		{"too long", strings.Repeat("x", fileMax+1), "1: the file is larger than 16 MiB"},
	} {
		f, err := Parse([]byte(c.text))
		got := line(f)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.case")
	if err := os.WriteFile(bad, []byte("// allele case 7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		bad:                           bad + ":1: case format 7",
		dir:                           dir + ":1: not a regular file",
		filepath.Join(dir, "no.case"): "no.case: no such file",
	} {
		if _, err := Read(file); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "The system cannot find the file specified.", "no such file"), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Owner uses the path of a file if the header does not name the property.
func TestOwner(t *testing.T) {
	for _, c := range []struct{ name, header, path, want string }{
		{"by its path", "", "example.com/tree/TestX/1.case", "example.com/tree TestX"},
		{"by the test in its header", "// test TestY", "example.com/tree/TestX/1.case", "example.com/tree TestY"},
		{"by its header", "// test TestY\n// package a/b", "tree/TestX/1.case", "a/b TestY"},
		{"by neither", "", "1.case", " "},
		{"by the property alone", "", "TestX/1.case", " TestX"},
		{"escaped", "", "a.b/c/TestX%2Fsub%20test/1.case", "a.b/c TestX/sub test"},
	} {
		f, err := Parse([]byte(c.header + "\n1"))
		if err != nil {
			t.Fatal(err)
		}
		pkg, property := Owner(f, filepath.FromSlash(c.path))
		if got := pkg + " " + property; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Owner reverses Folder, and no folder is outside of the root.
// Only names that some system treats in a special way are escaped.
func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"main": "main", "company": "company", "lpt": "lpt", "com1": "%63om1", "LPT9.go": "%4CPT9.go", "nul": "%6Eul",
		".": "%2E", ".a": "%2Ea", "a.": "a%2E", "a.b": "a.b", "a b": "a%20b", "": "%",
	} {
		if got := escape(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestStored(t *testing.T) {
	long := strings.Repeat("x", 300)
	seen := map[string]string{}
	for _, c := range []struct{ name, want string }{
		{"TestX", "TestX"},
		{"TestX/sub test", "TestX%2Fsub%20test"},
		{"TestX#2", "TestX#2"},
		{"TestX/a:b*c?d\"e<f>g|h\\i", "TestX%2Fa%3Ab%2Ac%3Fd%22e%3Cf%3Eg%7Ch%5Ci"},
		{"Test世", "Test%E4%B8%96"},
		{"TestX.", "TestX%2E"},
		{"CON", "CON-"},
		{"com1", "com1-"},
		{long, strings.Repeat("x", 91) + "-"},
		{long + "y", strings.Repeat("x", 91) + "-"},
	} {
		got := Stored(c.name)
		if !strings.HasPrefix(got, c.want) && got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s share %s", c.name, other, got)
		}
		seen[got] = c.name
		if len(got) > nameMax {
			t.Errorf("%s: %d bytes", got, len(got))
		}
	}
}

func TestFolder(t *testing.T) {
	names := []string{"a", "example.com", "..", ".", "x.", "aux", "AUX.go", "com1", "a b", "%41", "世", "TestX#2", "-", ":", `\`, "TestX/sub"}
	for _, a := range names {
		for _, b := range names {
			pkg := strings.ReplaceAll(a, "/", "_") + "/" + strings.ReplaceAll(b, "/", "_")
			for _, property := range names {
				rel, err := filepath.Rel("root", Folder("root", pkg, property))
				if err != nil || !filepath.IsLocal(rel) {
					t.Fatalf("%s %s: %s", pkg, property, rel)
				}
				gotPkg, gotProperty := Owner(File{}, filepath.Join(rel, "1.case"))
				if gotPkg != pkg || gotProperty != property {
					t.Errorf("%s: %s %s, want %s %s", rel, gotPkg, gotProperty, pkg, property)
				}
			}
		}
	}
	long := strings.Repeat("x", 300)
	if a, b := Folder("r", long, long), Folder("r", long, long+"y"); a == b || len(a) > 2*nameMax+4 {
		t.Error(a, b)
	}
	if got := Folder("r", "a//b", ""); got != filepath.Join("r", "a", "%", "b", "%") {
		t.Error(got)
	}
}

// A message with a no-break space is readable in the file, and read back unchanged.
func TestSpacesStay(t *testing.T) {
	message := "proto:\u00a0cannot parse"
	f := File{Facts: []Fact{{"message", message}}, Expr: "1"}
	if text := string(f.Bytes()); !strings.Contains(text, "// message  "+message+"\n") {
		t.Errorf("%q", text)
	}
	back, err := Parse(f.Bytes())
	if err != nil || len(back.Facts) != 1 || back.Facts[0].Value != message {
		t.Errorf("%+v, %v", back, err)
	}
}
