package e2e

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/BurntSushi/toml" // makes the go command download the module for the script toml
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	_ "google.golang.org/protobuf/proto" // the same for the page on protobuf messages

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/testkit"
)

// bin is the folder of the command, which is built once.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withCommand(m.Run))
}

func withCommand(run func() int) (exit int) {
	var err error
	if bin, err = os.MkdirTemp("", "allele-e2e"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", bin, "./cmd/allele")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the command: %v\n%s", err, out)
		return 2
	}
	// Scripts get no modules from elsewhere, and allele run needs those of the formats. graph also gets the go.mod files
	// of modules that nobody builds, which a module that requires the formats must read.
	for _, args := range [][]string{{"mod", "download"}, {"mod", "graph"}} {
		get := exec.Command("go", args...)
		get.Dir = filepath.Join("..", "formats")
		if out, err := get.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "get the modules of the formats: %v\n%s", err, out)
			return 2
		}
	}
	return run()
}

func TestScripts(t *testing.T) {
	root := testkit.Root(t)
	dirs := strings.Split(goEnv(t, "GOCACHE", "GOMODCACHE", "GOROOT"), "\n")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireUniqueNames:  true,
		UpdateScripts:       flag.Lookup("update").Value.String() == "true", // as for golden files, by testkit
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			temp := filepath.Join(env.WorkDir, ".tmp")
			for name, value := range map[string]string{ // the whole environment: scripts do not inherit ours
				"PATH": bin + string(filepath.ListSeparator) + env.Getenv("PATH"),
				"ROOT": root, "STD": filepath.Join(dirs[2], "src"), "HOME": filepath.Join(temp, "home"), "GOTRACEBACK": "",
				"ALLELE_SHARED": os.Getenv("ALLELE_SHARED"), // tests how systems without shared memory work
				"GOCACHE":       dirs[0], "GOMODCACHE": dirs[1], "XDG_CACHE_HOME": filepath.Join(temp, "cache"),
				"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOSUMDB": "off", "GOTOOLCHAIN": "local", "GOWORK": "",
			} {
				env.Setenv(name, value)
			}
			env.Values[treeKey{}] = map[string]string{}
			env.Values[findingsKey{}] = &[]finding{}
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"library": library, "snapshot": snapshot, "unchanged": unchanged,
			"proxy": proxy, "copy": copyTree, "times": times, "fewer": fewer, "damage": damage, "slot": slot, "found": found, "replayed": replayed, "await": await,
			"schema": schema, "steps": steps,
		},
	})
}

// condition implements [cgo], which is true if there is a C compiler.
func condition(name string) (bool, error) {
	if name != "cgo" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	return strings.TrimSpace(string(out)) == "1", err
}

// goEnv returns settings of the go command. It must be called before scripts change HOME.
func goEnv(t *testing.T, names ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Every script checks that the user's files are unchanged.
func TestScriptsCheckTheTree(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(text), "\n-- ")
		for _, line := range []string{"\nsnapshot", "\nunchanged"} {
			if !strings.Contains("\n"+script, line) {
				t.Errorf("%s has no line %q", file, strings.TrimSpace(line))
			}
		}
	}
}

const modulePath = "github.com/allele-go/allele"

// library [folder...] makes the modules in the folders require this module, from this
// repository.
func library(ts *testscript.TestScript, neg bool, dirs []string) {
	usage(ts, neg, true, "library [folder...]")
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		ts.Check(ts.Exec("go", "-C", ts.MkAbs(dir), "mod", "edit", "-require="+modulePath+"@v0.0.0", "-replace="+modulePath+"="+ts.Getenv("ROOT")))
	}
}

func usage(ts *testscript.TestScript, neg, ok bool, text string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", text)
	}
}

type treeKey struct{}

// snapshot [folder...] records every file of the folders. The default is the current
// folder.
func snapshot(ts *testscript.TestScript, neg bool, dirs []string) {
	usage(ts, neg, true, "snapshot [folder...]")
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		ts.Value(treeKey{}).(map[string]string)[ts.MkAbs(dir)] = tree(ts, ts.MkAbs(dir))
	}
}

// unchanged compares the folders of all snapshots with their current contents.
func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 0, "unchanged")
	known := ts.Value(treeKey{}).(map[string]string)
	if len(known) == 0 {
		ts.Fatalf("no snapshot")
	}
	for _, dir := range slices.Sorted(maps.Keys(known)) {
		if now := tree(ts, dir); now != known[dir] {
			ts.Fatalf("%s changed from\n%sto\n%s", dir, known[dir], now)
		}
	}
}

// tree lists a folder with the mode and hash of each file. It omits findings, which may be
// written, and .tmp, which is for files that are not the user's.
func tree(ts *testscript.TestScript, dir string) string {
	var b strings.Builder
	ts.Check(filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, info := strings.TrimPrefix(file, dir), fs.FileInfo(nil)
		if name == "/.tmp" || strings.HasSuffix(name, "/testdata/allele") {
			return filepath.SkipDir
		}
		if info, err = d.Info(); err != nil || d.IsDir() && d.Name() == "testdata" {
			return err
		}
		var data []byte
		if info.Mode().IsRegular() {
			data, err = os.ReadFile(file)
		}
		fmt.Fprintf(&b, "%v %x %s\n", info.Mode(), sha256.Sum256(data), name)
		return err
	}))
	return b.String()
}

// proxy module version folder serves a folder as a version of a module, with files in
// .tmp/proxy.
func proxy(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 3, "proxy module version folder")
	m, dir := module.Version{Path: args[0], Version: args[1]}, ts.MkAbs(args[2])
	at := filepath.Join(ts.Getenv("WORK"), ".tmp", "proxy", m.Path, "@v")
	ts.Check(os.MkdirAll(at, 0o777))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	ts.Check(err)
	var archive bytes.Buffer
	ts.Check(zip.CreateFromDir(&archive, m, dir))
	list, err := os.ReadFile(filepath.Join(at, "list"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	for name, data := range map[string][]byte{
		m.Version + ".zip": archive.Bytes(), m.Version + ".mod": mod,
		m.Version + ".info": fmt.Appendf(nil, `{"Version":%q}`, m.Version),
		"list":              append(list, m.Version+"\n"...),
	} {
		ts.Check(os.WriteFile(filepath.Join(at, name), data, 0o666))
	}
	ts.Setenv("GOPROXY", "file://"+filepath.Join(ts.Getenv("WORK"), ".tmp", "proxy"))
	ts.Setenv("GOMODCACHE", filepath.Join(ts.Getenv("WORK"), ".tmp", "mod"))
}

// copyTree implements copy from to, which copies a folder without findings of earlier
// campaigns.
func copyTree(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2, "copy from to")
	from, to := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(file, from))
		if d.IsDir() {
			if d.Name() == ".git" || strings.HasSuffix(file, filepath.Join("testdata", "allele")) {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o777)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	}))
}

// clock matches the parts of the output that depend on time.
var clock = regexp.MustCompile(`\([0-9.]+s\)| +[0-9.]+m?s\n| +[0-9.]+[kM]? +(\d+ %)`)

// times number program args... runs a program that must print the same every time, except
// for times and rates. With ! the program must fail.
func times(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, false, len(args) > 1, "[!] times number program args...")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var first string
	for i := range n {
		// A stored case would be run first.
		ts.Check(os.RemoveAll(ts.MkAbs(filepath.Join("testdata", "allele"))))
		if err := ts.Exec(args[1], args[2:]...); (err != nil) != neg {
			ts.Fatalf("run %d: %v\n%s", i+1, err, ts.ReadFile("stdout"))
		}
		out := clock.ReplaceAllString(ts.ReadFile("stdout"), " $1")
		if i == 0 {
			first = out
		}
		if out != first {
			ts.Fatalf("run 1 printed\n%s\nrun %d\n%s", first, i+1, out)
		}
	}
}

// awaitMax is the timeout of await. Everything that scripts wait for takes less time.
const awaitMax = 30 * time.Second

// await program args... runs a program repeatedly until it exits with success.
func await(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) > 0, "await program args...")
	for end := time.Now().Add(awaitMax); ts.Exec(args[0], args[1:]...) != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s still fails after %v", strings.Join(args, " "), awaitMax)
		}
	}
}

var pathsOf = regexp.MustCompile(`([\d,]+)  ok`)

// fewer file file compares two files with the output for one property each: the property
// must have taken fewer paths in the first than in the second.
func fewer(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2, "fewer file file")
	var paths [2]int
	for i, file := range args {
		found := pathsOf.FindAllStringSubmatch(ts.ReadFile(file), -1)
		if len(found) != 1 {
			ts.Fatalf("%s: want the output for one property that passed\n%s", file, ts.ReadFile(file))
		}
		var err error
		paths[i], err = strconv.Atoi(strings.ReplaceAll(found[0][1], ",", ""))
		ts.Check(err)
	}
	if paths[0] >= paths[1] {
		ts.Fatalf("%d paths in %s, %d in %s", paths[0], args[0], paths[1], args[1])
	}
}

// damage flips bits in all files of the corpus, and truncates them.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	n := 0
	err := filepath.WalkDir(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "allele", "corpus"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for i := len(data) / 2; i < len(data); i += 1 + len(data)/5 {
			data[i] ^= 4
			n++
		}
		return errors.Join(err, os.WriteFile(path, data[:len(data)-len(data)/10], 0o666))
	})
	if err != nil || n == 0 {
		ts.Fatalf("damaged %d bytes: %v", n, err)
	}
}

// slot test leaves a slot in the corpus of a property, as of a process that was killed
// during the run of an input of another type.
func slot(ts *testscript.TestScript, neg bool, args []string) {
	dirs, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "allele", "corpus", "*", args[0]+"-*"))
	if err != nil || len(dirs) != 1 {
		ts.Fatalf("%d folders of %s: %v", len(dirs), args[0], err)
	}
	s, err := proc.NewSlot(filepath.Join(dirs[0], "1-1.slot"))
	ts.Check(err)
	s.Begin([]byte("sixteen bytes of"))
	ts.Check(s.Close())
}
