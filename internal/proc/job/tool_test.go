//go:build go1.25

package job

import (
	"os"
	"path/filepath"
	"testing"
)

// The rows are verified with the real go command by a script: e2e/testdata/script/tool.txt.
func TestTool(t *testing.T) {
	const requires = "module example.com/m\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.1.0\n"
	const tool = "\ntool github.com/allele-go/allele/cmd/allele\n"
	const run = "go run github.com/allele-go/allele/cmd/allele"
	for _, c := range []struct {
		name  string
		files map[string]string
		work  string // GOWORK
		want  string // empty if it cannot be told
	}{
		{"a tool of the module", map[string]string{"go.mod": requires + tool}, "", AsTool},
		{"in a block", map[string]string{"go.mod": requires + "\ntool (\n\texample.com/x // other\n\t\"github.com/allele-go/allele/cmd/allele\" // tests\n)\n"}, "", AsTool},
		{"no tool", map[string]string{"go.mod": requires + "\n// tool github.com/allele-go/allele/cmd/allele\ntool example.com/x\n"}, "", run},
		{"required in a block, and replaced", map[string]string{"go.mod": "module m\n\nrequire(\n\texample.com/x v1.0.0\n\tgithub.com/allele-go/allele v0.0.0 // indirect\n)\n\nreplace github.com/allele-go/allele => ../a\n"}, "", run},
		{"the module of the command", map[string]string{"go.mod": "module github.com/allele-go/allele\n\ngo 1.25\n"}, "", run},
		{"nothing is required", map[string]string{"go.mod": "module example.com/m\n"}, "", ""},
		{"no module", nil, "", ""},
		{"vendored, without the command", map[string]string{"go.mod": requires, "vendor/modules.txt": ""}, "", "go run -mod=readonly github.com/allele-go/allele/cmd/allele"},
		{"vendored with the command, which another package imports", map[string]string{"go.mod": requires, "vendor/modules.txt": "",
			"vendor/github.com/allele-go/allele/cmd/allele/main.go": ""}, "", run},
		{"vendored, as a tool", map[string]string{"go.mod": requires + tool, "vendor/modules.txt": ""}, "", AsTool},
		{"a tool of another module of the workspace", map[string]string{"../go.work": "go 1.25\n\nuse (\n\t./m\n\t./other\n)\n",
			"go.mod": requires, "../other/go.mod": "module other\n" + tool}, "", AsTool},
		{"the same, without the workspace", map[string]string{"../go.work": "go 1.25\n\nuse (\n\t./m\n\t./other\n)\n",
			"go.mod": requires, "../other/go.mod": "module other\n" + tool}, "off", run},
		{"a workspace without the tool", map[string]string{"../go.work": "go 1.25\n\nuse ./m\nuse \"./other\"\n",
			"go.mod": requires, "../other/go.mod": "module other\n"}, "", run},
		{"a vendored workspace", map[string]string{"../go.work": "go 1.25\n\nuse ./m\n", "go.mod": requires, "../vendor/modules.txt": "## workspace\n"}, "",
			"go run -mod=readonly github.com/allele-go/allele/cmd/allele"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("GOWORK", c.work)
			dir := filepath.Join(t.TempDir(), "m")
			for name, text := range c.files {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			below := filepath.Join(dir, "a", "b")
			if err := os.MkdirAll(below, 0o777); err != nil {
				t.Fatal(err)
			}
			if got, ok := Tool(below); got != c.want || ok != (c.want != "") {
				t.Errorf("%q, %v; want %q", got, ok, c.want)
			}
		})
	}
}
