//go:build go1.25

package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// strangers are third-party modules on a test proxy, by path and version.
var strangers = map[string]map[string]string{
	"example.com/third@v1.0.0": {
		"go.mod":      "module example.com/third\n\ngo 1.21\n",
		"third.go":    thirdSource,
		"sub/sub.go":  "package sub\n\nfunc Sub(n int) int {\n\tif n > 100 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n",
		"sub/none.go": "//go:build none\n\npackage sub\n\nnot Go\n",
	},
	// A fork may keep the module's name in its go.mod or not; both may replace the module.
	"example.com/fork@v1.2.0": {
		"go.mod":   "module example.com/fork\n\ngo 1.21\n",
		"third.go": thirdSource, "sub/sub.go": "package sub\n\nfunc Sub(n int) int { return 0 }\n",
	},
	// A package without a go.mod. Generated code that registers the constants of a type
	// uses a newer version of the language than this package.
	"example.com/old@v0.1.0": {
		"old.go": "package old\n\ntype Kind int\n\nconst (\n\tA Kind = 1 + iota\n\tB\n)\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn int(B)\n\t}\n\treturn int(A)\n}\n",
	},
	"example.com/odd@v1.0.0": {
		"go.mod":     "module example.com/odd\n\ngo 1.22\n",
		"data/x.txt": "hello",
		"stub.s":     "// Bodies of functions may be elsewhere.\n",
		"odd.go":     oddSource,
		"c.go":       oddCgo,
		"gen.go":     oddLine,
		"odd.h":      "enum { ONE = 1 };\nstatic int half(int n) { return n / 2; }\n",
	},
}

// thirdSource is correct if a loop variable lives as long as the loop, as before Go 1.22.
const thirdSource = `package third

func F(n int) int {
	var last []func() int
	for i := 0; i < 3; i++ {
		last = append(last, func() int { return i })
	}
	if n > 3 {
		return last[0]() - 3
	}
	return 0
}
`

const oddSource = `package odd

import (
	"embed"
	"runtime"
	_ "unsafe"
)

//go:embed data
var data embed.FS

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func F(n int) int {
	x, err := data.ReadFile("data/x.txt")
	if err != nil || string(x) != "hello" || nanotime() == 0 {
		return -1
	}
	if n > 3 {
		return C(n)
	}
	return 0
}

func Names() (own, generated string) {
	_, own, _, _ = runtime.Caller(0)
	return own, gen()
}
`

const oddCgo = `package odd

/*
#include "odd.h"
*/
import "C"

func C_(n C.int) C.int { return C.half(n) }

func C(n int) int {
	if n > 7 && C.half(2) == C.ONE {
		return int(C_(C.int(n & 7)))
	}
	return 0
}
`

const oddLine = `package odd

import "runtime"

//line gen.y:100
func gen() string {
	_, name, _, _ := runtime.Caller(0)
	return name
}
`

// proxy writes the strangers as a module proxy in files, and makes the go command use it
// with a module cache of its own. It returns the folder of that cache.
func proxy(t *testing.T) (cache string) {
	t.Helper()
	dir := t.TempDir()
	for name, files := range strangers {
		path, version, _ := strings.Cut(name, "@")
		mod := files["go.mod"]
		if mod == "" {
			mod = "module " + path + "\n"
		}
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			w, err := z.Create(name + "/" + file)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(files[file]))
		}
		z.Close()
		put(t, dir, map[string]string{
			path + "/@v/list":                 version + "\n",
			path + "/@v/" + version + ".mod":  mod,
			path + "/@v/" + version + ".zip":  archive.String(),
			path + "/@v/" + version + ".info": `{"Version":"` + version + `"}`,
		})
	}
	apart(t)
	cache = t.TempDir()
	t.Cleanup(func() { // its files may not be written to
		filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, 0o777)
			}
			return err
		})
	})
	for name, value := range map[string]string{"GOMODCACHE": cache, "GOPROXY": "file://" + filepath.ToSlash(dir), "GOSUMDB": "off", "GONOSUMDB": "*", "GOFLAGS": ""} {
		t.Setenv(name, value)
	}
	return cache
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// goMod returns the go.mod of a main module that requires strangers.
func goMod(t *testing.T, name string, lines ...string) string {
	t.Helper()
	return "module " + name + "\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\nreplace github.com/allele-go/allele => " +
		testkit.Root(t) + "\n" + strings.Join(lines, "\n") + "\n"
}

// checks returns a test whose own code has only one path: every further path is one of the
// code that it calls.
func checks(imported, call string) string {
	return "package p\n" + strings.Replace(strings.Replace(checkBody, "F(in)", call, 1), "\"testing\"\n", "\"testing\"\n\n\t\""+imported+"\"", 1)
}

// stranger is a row of the table: a module that uses a stranger, and the expected results.
type stranger struct {
	name   string
	files  map[string]string
	flags  string // GOFLAGS
	scope  string
	cover  string // a file of the cover profile in which something was reached
	copied string // module of the cache that was copied; none if empty
	setup  func(t *testing.T, dir string)
}

func strangerRows(t *testing.T) []stranger {
	const third = "require example.com/third v1.0.0"
	test := checks("example.com/third", "third.F(in)")
	plain := map[string]string{"go.mod": goMod(t, "scratch", third), "f_test.go": test}
	replaced := func(line string) map[string]string {
		return map[string]string{"go.mod": goMod(t, "scratch", third, line), "f_test.go": test}
	}
	local := replaced("replace example.com/third => ./fork")
	local["fork/go.mod"], local["fork/third.go"] = "module example.com/third\n\ngo 1.21\n", thirdSource
	const cover = "example.com/third/third.go:"
	return []stranger{
		{"as it comes", plain, "", "example.com/third", cover, "third@v1.0.0", tidy},
		{"go.mod may be written to", plain, "-mod=mod", "example.com/...", cover, "third@v1.0.0", tidy},
		{"another go.mod", plain, "-modfile=other.mod", "example.com/third/...", cover, "third@v1.0.0", func(t *testing.T, dir string) {
			tidy(t, dir)
			for _, kind := range []string{".mod", ".sum"} {
				if err := os.Rename(filepath.Join(dir, "go"+kind), filepath.Join(dir, "other"+kind)); err != nil {
					t.Fatal(err)
				}
			}
			put(t, dir, map[string]string{"go.mod": "module scratch\n\ngo 1.25\n"})
		}},
		{"vendored", plain, "", "example.com/third", cover, "", func(t *testing.T, dir string) {
			tidy(t, dir)
			goDo(t, dir, "mod", "vendor")
		}},
		{"replaced by a folder", local, "-mod=readonly", "example.com/third", cover, "", tidy},
		{"replaced by a module", replaced("replace example.com/third => example.com/fork v1.2.0"), "", "example.com/third", cover, "fork@v1.2.0", tidy},
		{"one version replaced by a module", replaced("replace example.com/third v1.0.0 => example.com/fork v1.2.0\nreplace example.com/third v0.9.0 => ./none"), "", "example.com/third", cover, "fork@v1.2.0", tidy},
		{"older than modules", map[string]string{"go.mod": goMod(t, "scratch", "require example.com/old v0.1.0"), "f_test.go": checks("example.com/old", "old.F(in)")}, "", "example.com/old", "example.com/old/old.go:", "old@v0.1.0", tidy},
		{"a workspace", map[string]string{
			"go.work":  "go 1.25\n\nuse (\n\t./a\n\t./b\n)\n",
			"a/go.mod": goMod(t, "example.com/a", third), "a/f_test.go": checks("example.com/b", "b.F(in)"),
			"b/go.mod": goMod(t, "example.com/b", third, "replace example.com/third => example.com/fork v1.2.0"),
			"b/b.go":   "package b\n\nimport \"example.com/third\"\n\nfunc F(n int) int {\n\tif n > 50 {\n\t\treturn 0\n\t}\n\treturn third.F(n)\n}\n",
		}, "", "example.com/third", cover, "fork@v1.2.0", func(t *testing.T, dir string) {
			t.Setenv("GOWORK", filepath.Join(dir, "go.work"))
			goDo(t, dir, "work", "sync")
			goDo(t, dir, "list", "-deps", "-test", "-json=Module", "./a") // writes go.work.sum
		}},
	}
}

// tidy completes go.mod and go.sum, and fills the cache with everything that the go command
// may request.
func tidy(t *testing.T, dir string) {
	goDo(t, dir, "mod", "tidy")
	goDo(t, dir, "list", "-m", "-json", "all")
}

func goDo(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, exit := testkit.Go(t, dir, []string{"GOFLAGS=" + os.Getenv("GOFLAGS"), "GOPROXY=" + os.Getenv("GOPROXY"), "GOWORK=" + os.Getenv("GOWORK")}, args...); exit != 0 {
		t.Fatalf("go %v: %s", args, out)
	}
}

// Third-party modules in scope get probes, wherever the go command takes them from, and
// keep their language version. Neither the user's files nor the module cache change.
func TestScopeOfStrangers(t *testing.T) {
	for _, c := range strangerRows(t) {
		t.Run(c.name, func(t *testing.T) {
			cache, dir := proxy(t), t.TempDir()
			put(t, dir, c.files)
			c.setup(t, dir)
			t.Setenv("GOFLAGS", c.flags)
			where := dir
			if c.files["go.work"] != "" {
				where = filepath.Join(dir, "a")
			}
			profile, out := watched(t, where, c.scope, dir, cache)
			reached := func(line string) bool { return strings.HasPrefix(line, c.cover) && strings.HasSuffix(line, " 1") }
			if !slices.ContainsFunc(strings.Split(profile, "\n"), reached) {
				t.Errorf("nothing was reached in %s\n%s", c.cover, profile)
			}
			if c.files["go.work"] != "" {
				has(t, out, "built 3 packages") // all main modules are in scope
			}
			copies, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "allele", "*", "mod", "example.com", "*"))
			if len(copies) > 1 || len(copies) == 1 && filepath.Base(copies[0]) != c.copied || len(copies) == 0 && c.copied != "" {
				t.Errorf("copied %v, want %s", copies, c.copied)
			}
		})
	}
}

// watched runs allele test and returns the coverage profile, and what it printed. It fails if a
// folder in trees changes.
func watched(t *testing.T, dir, scope string, trees ...string) (profile, printed string) {
	t.Helper()
	before := make([]map[string]string, len(trees))
	for i, tree := range trees {
		before[i] = snapshot(t, tree)
	}
	file := filepath.Join(t.TempDir(), "c.out")
	printed, exit := allele(t, "test", "-C", dir, "-scope", scope, "-coverprofile", file, ".")
	if exit != exitOK || !strings.Contains(printed, "ok\n") || strings.Contains(printed, " 1  ok") {
		t.Fatalf("exit %d, or one path only\n%s", exit, printed)
	}
	for i, tree := range trees {
		if after := snapshot(t, tree); !maps.Equal(before[i], after) {
			t.Errorf("%s was changed: %q became %q", tree, before[i], after)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, exit := testkit.Go(t, dir, []string{"GOFLAGS=" + os.Getenv("GOFLAGS"), "GOWORK=" + os.Getenv("GOWORK")}, "tool", "cover", "-func", file)
	if exit != 0 {
		t.Errorf("go tool cover: %s", out)
	}
	return string(data), printed
}

// A package with C, embedded files, functions without a body and line directives gets
// probes, and its files have the names that they have in the cache.
func TestScopeOfOddPackage(t *testing.T) {
	cache, dir := proxy(t), t.TempDir()
	test := checks("example.com/odd", "odd.F(in)") + "\nfunc init() {\n\tif strings.Contains(os.Getenv(\"ALLELE_JOB\"), `\"mode\":\"operands\"`) {\n\t\treturn // not rewritten, and so not renamed\n\t}\n\town, generated := odd.Names()\n\tos.WriteFile(os.Getenv(\"NAMES\"), []byte(own+\"\\n\"+generated), 0o666)\n}\n"
	put(t, dir, map[string]string{
		"go.mod":    goMod(t, "scratch", "require example.com/odd v1.0.0"),
		"f_test.go": strings.Replace(test, "\"testing\"\n", "\"os\"\n\t\"strings\"\n\t\"testing\"\n", 1),
	})
	tidy(t, dir)
	names := filepath.Join(t.TempDir(), "names")
	t.Setenv("NAMES", names)
	profile, _ := watched(t, dir, "example.com/odd", dir, cache)
	if again, _ := watched(t, dir, "example.com/odd", dir, cache); again != profile {
		t.Errorf("with a copy that was there already:\n%s\nbefore:\n%s", again, profile)
	}
	for _, file := range []string{"odd.go", "c.go"} {
		has(t, profile, "example.com/odd/"+file+":")
	}
	got, err := os.ReadFile(names)
	testkit.Go(t, dir, nil, "test", ".") // without probes
	want, wantErr := os.ReadFile(names)
	odd := filepath.Join(cache, "example.com", "odd@v1.0.0", "odd.go")
	if err != nil || wantErr != nil || string(got) != string(want) || !strings.HasPrefix(string(want), odd+"\n") {
		t.Errorf("names\n%s\nwant\n%s\n%v %v", got, want, err, wantErr)
	}
}

// The error for an invalid scope has the pattern, the reason and the next step.
func TestScopeErrors(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"f.go": "package p\n\nimport _ \"text/tabwriter\"\n\nfunc F(n int) int { return 0 }\n", "f_test.go": "package p\n" + checkBody})
	for _, c := range []struct{ scope, want string }{
		{"example.com/none", "-scope example.com/none: no package that these tests use has this import path; to list the packages they use, run: go list -deps -test ."},
		{"text/tabwriter,tex/...", "-scope tex/...: no package"},
		{"runtime", "-scope runtime: this package is never instrumented, because the Go runtime or the probes rely on the original"},
		{"sync/atomic", "-scope sync/atomic: this package is never instrumented"},
		{"github.com/allele-go/allele", "because it runs the properties"},
		{"internal/...", "-scope internal/...: it matches only packages that are never instrumented, such as internal/"},
		{"text", "-scope text: these tests do not use this package, but they use text/tabwriter; write text/... for everything below it"},
	} {
		out, exit := allele(t, "test", "-C", dir, "-scope", c.scope, ".")
		if exit != exitUsage || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d\n%s\nwant %s", c.scope, exit, out, c.want)
		}
	}
	// A pattern may match packages that are never instrumented, if it matches others too.
	if out, exit := allele(t, "test", "-C", dir, "-scope", " t...,", "."); exit != exitOK || !strings.Contains(out, "built 2 packages") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}
