package text

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Each bug shows on one text and not on another one, and the original parser accepts both.
func TestPlanted(t *testing.T) {
	root, err := foreign.Go(t.TempDir(), nil, "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	root = strings.TrimSpace(root)
	m := &module{dir: t.TempDir()}
	std, changed := newLibrary(root, m.src(), stdPath), newLibrary(root, m.src(), changedPath)
	imports, body, mod := "", "", "module parsers\n\ngo 1.25\n"
	var want []string
	for _, p := range planted {
		if err := m.writeTarget(p, std, nil); err != nil {
			t.Fatal(err)
		}
		if err := changed.plant(p); err != nil {
			t.Fatal(err)
		}
		if p.module.Path != "" {
			mod += fmt.Sprintf("\nrequire %s %s\n", p.module.Path, p.module.Version)
		}
		imports += fmt.Sprintf("import %q\n", modulePath+"/"+p.name)
		for _, text := range []string{p.bug.shows, p.bug.hides} {
			body += fmt.Sprintf("	show(%q, %q, %s.Compare)\n", p.name, text, p.name)
			want = append(want, fmt.Sprintf("%s %q: accepted true, differs %v", p.name, text, text == p.bug.shows))
		}
	}
	main := "package main\n\nimport \"fmt\"\n" + imports + "\nfunc main() {\n" + body + `}

func show(name, text string, compare func(string) (bool, bool)) {
	accepted, differs := compare(text)
	fmt.Printf("%s %q: accepted %v, differs %v\n", name, text, accepted, differs)
}
`
	for name, text := range map[string]string{"go.mod": mod, "main.go": main} {
		if err := lab.WriteFile(filepath.Join(m.src(), name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := foreign.Go(m.src(), foreign.UserCache, "run", ".")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSpace(out), "\n"); !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A bug whose place is not found is an error: otherwise the search would be for nothing.
func TestPlantedElsewhere(t *testing.T) {
	root, err := foreign.Go(t.TempDir(), nil, "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	lib := newLibrary(strings.TrimSpace(root), t.TempDir(), changedPath)
	moved := target{name: "moved", std: []string{"text/template/parse"}, bug: &bug{file: "text/template/parse/lex.go", edits: [][2]string{{"no such text", ""}}}}
	if err := lib.plant(moved); err == nil || !strings.Contains(err.Error(), `0 times the text "no such text"`) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(lib.folder("text/template/parse"), "lex.go")); err != nil {
		t.Error(err)
	}
}

// The property of a target with a bug discards what the original parser rejects.
func TestPlantedTests(t *testing.T) {
	if n := len(planted); n != 5 {
		t.Errorf("%d bugs", n)
	}
	if n := len(quick(planted)); n != 1 {
		t.Errorf("%d bugs in a quick run", n)
	}
	parsersOf := map[string]bool{}
	for _, p := range planted {
		parsersOf[filepath.Dir(p.bug.file)] = true
		text, err := sources.ReadFile("testdata/" + p.test(propertyKind) + "_test.go.txt")
		if err != nil || !strings.Contains(string(text), "t.Assume(accepted)") {
			t.Errorf("%s: %v", p.name, err)
		}
		if p.test(nativeKind) != nativeKind {
			t.Errorf("%s: native fuzzing has another test", p.name)
		}
	}
	if len(parsersOf) != len(planted) {
		t.Errorf("%v", parsersOf)
	}
}
