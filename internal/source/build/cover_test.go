//go:build go1.25

package build

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/edit"
)

// What the cover tool inserts is found in its output, for all files of this package.
func TestCoverInsertions(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	total := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "cover", "-mode=set", "-var="+coverName, file).Output()
		if err != nil {
			t.Fatal(err)
		}
		blocks, inserted, err := covered(src, out)
		if err != nil {
			t.Fatal(file, err)
		}
		var b edit.Buffer
		marks := 0
		for _, e := range inserted {
			b.Insert(e.offset, e.text)
			marks += strings.Count(e.text, coverName)
		}
		_, want, _ := bytes.Cut(out, []byte("\n"))
		want = want[:bytes.LastIndex(want, []byte("\nvar "+coverName))]
		if got := b.Apply(src); !bytes.Equal(got, want) || marks != len(blocks) {
			t.Errorf("%s: %d blocks and %d marks, and the text differs: %t", file, len(blocks), marks, !bytes.Equal(got, want))
		}
		total += len(blocks)
	}
	if total < 500 {
		t.Errorf("only %d blocks", total)
	}
}

// Output of another form is an error.
func TestCoverOutput(t *testing.T) {
	const src = "package p\n\nfunc F() {\n}\n"
	const out = "//line p.go:1:1\npackage p\n\nfunc F() {alleleCounts_.Count[0] = 1;\n}\n\nvar alleleCounts_ = struct {\n\t\t3, 4, 0x2000a, // [0]\n\t\t0, // 0\n}\n"
	blocks, inserted, err := covered([]byte(src), []byte(out))
	if err != nil || len(blocks) != 1 || blocks[0] != (Block{Line: 3, Col: 10, EndLine: 4, EndCol: 2}) ||
		len(inserted) != 1 || inserted[0] != (insertion{21, "alleleCounts_.Count[0] = 1;"}) {
		t.Fatal(blocks, inserted, err)
	}
	for what, text := range map[string]string{
		"nothing":            "",
		"no table":           strings.Replace(out, "= struct", "= 1", 1),
		"a row is missing":   strings.Replace(out, "\t\t0, // 0\n", "", 1),
		"text is missing":    strings.Replace(out, "F() {", "F()", 1),
		"text is added":      strings.Replace(out, "F() {", "F() { x()", 1),
		"the end is missing": strings.Replace(out, "1;\n}\n", "1;\n", 1),
	} {
		if _, _, err := covered([]byte(src), []byte(text)); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
