//go:build go1.25

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// Flags may come before, between and after packages, as in go test.
func TestFlagsAnywhere(t *testing.T) {
	for _, c := range []struct{ args, run, rest string }{
		{"", "", ""},
		{"./...", "", "./..."},
		{"-run X ./...", "X", "./..."},
		{"./... -run X", "X", "./..."},
		{"./a -run=X -v ./b", "X", "./a ./b"},
		{"./a -v -- -run X", "", "./a -run X"},
		{"-- ./a -v", "", "./a -v"},
	} {
		f := newFlags("allele test", "", os.Stderr)
		run := f.String("run", "", "")
		f.Bool("v", false, "")
		if err := f.parse(strings.Fields(c.args)); err != nil || *run != c.run || strings.Join(f.Args(), " ") != c.rest {
			t.Errorf("%q: -run %q, arguments %q, %v", c.args, *run, f.Args(), err)
		}
	}
}

// -h prints the help of a command on stdout and exits with 0. It needs nothing else: no
// module, no file, no other argument.
func TestHelp(t *testing.T) {
	for _, args := range []string{
		"-h", "-help", "--help", "help", "test -h", "test ./... -h", "help test", "show -help", "dist --help", "facts -h", "clean -h",
		"version -h", "corpus -h", "corpus list -h", "corpus show -h", "corpus min -h", "corpus merge -h", "corpus export -h", "corpus import -h",
	} {
		var out, errs bytes.Buffer
		if exit := execute(strings.Fields(args), &out, &errs); exit != exitOK || errs.Len() > 0 || !strings.HasPrefix(out.String(), "usage: allele ") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", args, exit, out.String(), errs.String())
		}
	}
}

func TestTypos(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"test -ruin X", "allele test: unknown flag -ruin; did you mean -run?\nto list the flags, run: go tool allele test -h\n"},
		{"test ./... -worker 2", "unknown flag -worker; did you mean -workers?\n"},
		{"test --jsno", "unknown flag -jsno; did you mean -json?\n"},
		{"test -timeout 3s", "unknown flag -timeout; did you mean -run-timeout?\n"},
		{"test -nonsense", "unknown flag -nonsense\n"},
		{"test -q", "unknown flag -q\n"},
		{"test . -args x", "-args: allele passes no arguments to tests"},
		{"test -run", "allele test: flag needs an argument: -run\n"},
		{"facts -writ", "allele facts: unknown flag -writ; did you mean -write?"},
		{"corpus mim", `allele corpus: unknown command "mim"; did you mean "min"?`},
		{"corpus min -tag x", "allele corpus min: unknown flag -tag; did you mean -tags?"},
		{"tset", `allele: unknown command "tset"; did you mean "test"?`},
		{"./...", "allele: unknown command \"./...\"\n"},
	} {
		var out, errs bytes.Buffer
		if exit := execute(strings.Fields(c.args), &out, &errs); exit != exitUsage || out.Len() > 0 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", c.args, exit, out.String(), errs.String())
		}
	}
}

// Numbers that make no sense are errors, also those that a flag has if it is not given.
func TestSenselessFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"test -for 0", "allele test: -for: want a time above 0, not 0s"},
		{"test -for -1s", "allele test: -for: want a time above 0, not -1s"},
		{"test -tests 0", "allele test: -tests: want a number above 0"},
		{"test -workers 0", "allele test: -workers: want a number from 1 to "},
		{"test -workers -1", "allele test: -workers: want a number from 1 to "},
		{"test -run-timeout 0", "allele test: -run-timeout: want a time above 0, not 0s"},
		{"test -steps -1", "allele test: -steps: want a number of steps, or 0 for no limit, not -1"},
		{"test -memory 0", "allele test: -memory: want a size such as 2GB, or off"},
		{"dist -n 0", "allele dist: -n: want a number from 1 to "},
		{"score -min NaN", "allele score: -min: want a percentage from 0 to 100, not NaN"},
		{"score -p 0", "allele score: -p: want a number above 0, not 0"},
		{"corpus show -n -1 .", "allele corpus show: -n: want a number of inputs, or 0 for all, not -1"},
		{"run -format json -timeout 0 -- true", "allele run: -timeout: want a time above 0, not 0s"},
		{"run -format json -memory 0 -- true", "allele run: -memory: want a number of bytes above 0, not 0"},
		{"run -format json -disk 0 -- true", "allele run: -disk: want a number of bytes above 0, not 0"},
		{"run -format json -for 0 -- true", "allele run: -for: want a time above 0"},
		{"run -format json -tests 0 -- true", "allele run: -tests: want a number above 0"},
	} {
		var out, errs bytes.Buffer
		if exit := execute(strings.Fields(c.args), &out, &errs); exit != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", c.args, exit, out.String(), errs.String())
		}
	}
}

func TestVersion(t *testing.T) {
	out, exit := allele(t, "version")
	if want := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH; exit != exitOK || !strings.HasPrefix(out, "allele ") || !strings.Contains(out, want) {
		t.Errorf("exit %d, %s", exit, out)
	}
	info := &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	if got, want := version(info), "allele v1.2.3 go1.99 "+runtime.GOOS+"/"+runtime.GOARCH+" (revision abc, with changes)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// go tool passes the path of the executable in its cache, and so does go run. The go.mod file
// decides which of them is named.
func TestCalledByGo(t *testing.T) {
	cached := "/home/x/.cache/go-build/0c/" + strings.Repeat("0c", 32) + "-d/allele"
	for _, path := range []string{cached, cached + ".exe", "/tmp/go-build123/b001/exe/allele"} {
		if !builtByGo.MatchString(path) {
			t.Errorf("%s is built by the go command", path)
		}
	}
	for _, path := range []string{"allele", "/usr/bin/allele", "./0c/allele"} {
		if builtByGo.MatchString(path) {
			t.Errorf("%s is not built by the go command", path)
		}
	}
	t.Setenv("GOWORK", "off")
	released := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}
	for _, c := range []struct {
		mod  string
		info *debug.BuildInfo
		want string
	}{
		{"module m\n\ntool github.com/allele-go/allele/cmd/allele\n", released, "go tool allele"},
		{"module m\n\ntool (\n\texample.com/x\n\tgithub.com/allele-go/allele/cmd/allele // tests\n)\n", released, "go tool allele"},
		{"module m\n\ntool example.com/x\n", released, "go run github.com/allele-go/allele/cmd/allele@v1.2.3"},
		{"module m\n", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "go tool allele"},
		{"module m\n", nil, "go tool allele"},
		{"module m\n\nrequire github.com/allele-go/allele v1.2.3\n", released, "go run github.com/allele-go/allele/cmd/allele"},
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "..", "go.mod"), []byte(c.mod), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := byGo(c.info, dir); got != c.want {
			t.Errorf("%q: %s, want %s", c.mod, got, c.want)
		}
	}
}
