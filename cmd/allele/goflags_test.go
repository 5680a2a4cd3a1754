//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// GOFLAGS may be in the environment or in a file. Flags that would change what our go commands
// print or do are left out, flags for builds hold, and some are refused.
func TestGoFlags(t *testing.T) {
	apart(t)
	files := signs("a")
	files["a/tagged_test.go"] = "//go:build tagged\n\npackage a\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
		"func TestTagged(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, n int8) { Sign(n) })\n}\n"
	dir := testkit.Module(t, files)
	written := filepath.Join(t.TempDir(), "env")
	for _, row := range []struct {
		what, flags, file, want string
		exit                    int
	}{
		{what: "left out", want: "a.TestSign ", flags: "-mod=mod -cover -covermode=atomic -coverpkg=./... -json -n -x -v -run=Nothing " +
			"-count=3 -vet=all -c -o=/nowhere/x -short -timeout=1ns -deps -test -e"},
		{what: "for builds", want: "a.TestTagged ", flags: "-mod=mod -trimpath '-ldflags=-w -s' -modcacherw -p=1 -tags=tagged"},
		{what: "in a file", want: "a.TestTagged ", file: "GOFLAGS=-mod=mod -json -tags=tagged\n"},
		{what: "only such, in a file", want: "a.TestSign ", file: "GOFLAGS=-json\n", flags: ""},
		{what: "an overlay", flags: "-mod=mod -overlay=x.json", exit: exitUsage,
			want: `GOFLAGS contains -overlay=x.json, but allele needs the overlay for its own files; ` +
				`run the command without this flag, with GOFLAGS="-mod=mod" in the environment`},
	} {
		t.Setenv("GOFLAGS", row.flags)
		if err := os.WriteFile(written, []byte(row.file), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOENV", written)
		out, exit := allele(t, "test", "-C", dir, "-tests", "20", "-operands=off", "./a")
		if exit != row.exit {
			t.Errorf("%s: exit %d", row.what, exit)
		}
		has(t, out, row.want)
	}
}
