//go:build go1.25

// Package target writes the test that allele run searches with, and describes to it the program
// that is run.
//
//	dir, err := target.WriteModule("")
//	test, err := target.Target{Format: "png", Args: []string{"pngcheck", "@@"}}.Write(dir)
//
// There is one test for all programs and formats, so that it is built once. The test is in a
// module in the user's cache. Each command line is a file in the folder targets, and a subtest
// with the name of the file. So each has a corpus and stored cases of its own, and the same
// command later finds them.
package target

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/testbin/cache"
)

// runTest is the test.
const runTest = `// Written by allele run.
package run

import (
	"testing"

	"github.com/allele-go/allele/formats"
)

func Test(t *testing.T) {
	for name, file := range formats.Targets("targets") {
		t.Run(name, func(t *testing.T) { formats.RunFile(t, file) })
	}
}
`

// WriteModule writes the module, unless it is there, and returns its folder. Sources is the folder of
// the source of this module, for a command that is not released, or "".
func WriteModule(sources string) (dir string, err error) {
	user, err := cache.User()
	if err != nil {
		return "", err
	}
	mod, source, err := module(sources)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(user, "allele-run", "released")
	if source != "" {
		h := fnv.New64a()
		fmt.Fprint(h, source)
		dir = filepath.Join(user, "allele-run", fmt.Sprintf("%s-%016x", filepath.Base(source), h.Sum64()))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	changed, err := cache.Replace(filepath.Join(dir, "run_test.go"), runTest)
	if err != nil {
		return "", err
	}
	// The go command adds lines to go.mod, so what was written is kept in a file of its own.
	newer, err := cache.Replace(filepath.Join(dir, "go.mod.written"), mod)
	if err != nil || !changed && !newer {
		return dir, err
	}
	if _, err := cache.Replace(filepath.Join(dir, "go.mod"), mod); err != nil {
		return "", err
	}
	// go mod tidy would also get what only the tests of other modules need.
	cmd := exec.Command("go", "list", "-deps", "-test", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		os.Remove(filepath.Join(dir, "go.mod.written"))
		return "", fmt.Errorf("cannot get the module of the formats: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return dir, nil
}

// module returns the text of go.mod, and the folder of the source if the module uses that. A released command uses the
// formats of its own version, another one those of its source.
func module(sources string) (text, source string, err error) {
	const library, formats = "github.com/allele-go/allele", "github.com/allele-go/allele/formats"
	text = "module run\n\ngo 1.25.0\n"
	info, _ := debug.ReadBuildInfo()
	if sources == "" && info != nil && released(info.Main.Version) {
		v := info.Main.Version
		return text + fmt.Sprintf("\nrequire (\n\t%s %s\n\t%s %s\n)\n", library, v, formats, v), "", nil
	}
	if source, err = filepath.Abs(cmp.Or(sources, ownSource())); err == nil {
		if _, err := os.Stat(filepath.Join(source, "formats", "go.mod")); err == nil {
			require := fmt.Sprintf("\nrequire (\n\t%s v0.0.0\n\t%s v0.0.0\n)\n", library, formats)
			replace := fmt.Sprintf("\nreplace (\n\t%s => %q\n\t%s => %q\n)\n", library, filepath.ToSlash(source),
				formats, filepath.ToSlash(filepath.Join(source, "formats")))
			return text + require + replace, source, nil
		}
	}
	return "", "", errors.New("this command is not a released one, and its source is not found; " +
		"name the folder of the source with -sources")
}

// released reports whether a version is that of a release: the go command gives others a time and a revision.
func released(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "-0.") && !strings.HasPrefix(version, "v0.0.0-") &&
		!strings.Contains(version, "+dirty")
}

// ownSource returns the folder that this command was built from, or "" if the command does not know it.
func ownSource() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// targetsMax bounds the files of targets. A search whose file was removed only starts from scratch.
const targetsMax = 1000

// Target is a command line whose runs are searched. The module formats reads it from the file.
type Target struct {
	Args     []string      `json:"args"`
	Disk     int64         `json:"disk"`
	Findings string        `json:"findings"` // folder
	Format   string        `json:"format"`
	Hint     string        `json:"hint"`
	Memory   int64         `json:"memory"`
	Mutator  string        `json:"mutator"`
	Timeout  time.Duration `json:"timeout"`
	Vacuous  bool          `json:"vacuous"` // search even if all runs end with the same error
}

// Write writes the file for a command line into the folder of the module, and returns the name of
// its subtest. The name depends on the command line and the folder in which it was given.
func (t Target) Write(dir string) (name string, err error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(t, "", "\t")
	if err != nil {
		return "", err
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%q %q %q %q %q", t.Args, t.Format, t.Mutator, t.Findings, at)
	name = fmt.Sprintf("%s-%s-%08x", plainName(filepath.Base(t.Args[0])), t.Format, h.Sum32())
	targets := filepath.Join(dir, "targets")
	if err := os.MkdirAll(targets, 0o777); err != nil {
		return "", err
	}
	file := filepath.Join(targets, name+".json")
	if _, err := cache.Replace(file, string(text)+"\n"); err != nil {
		return "", err
	}
	now := time.Now()
	os.Chtimes(file, now, now) // without the right time, it is removed earlier
	removeOldest(targets, targetsMax)
	return name, nil
}

// removeOldest removes all but the newest files of a folder.
func removeOldest(dir string, most int) {
	entries, _ := os.ReadDir(dir) // without a result, nothing is removed
	if len(entries) <= most {
		return
	}
	age := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			age[e.Name()] = info.ModTime()
		}
	}
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int { return age[b.Name()].Compare(age[a.Name()]) })
	for _, e := range entries[most:] {
		os.Remove(filepath.Join(dir, e.Name()))
	}
}

// plainName returns the letters and digits of the name of a program, for the name of a test and of files.
func plainName(s string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(s))
	return cmp.Or(name[:min(len(name), plainMax)], "program")
}

const plainMax = 30
