//go:build go1.25

package members

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin/cache"
)

// keys makes the keys of the members of a suite: hashes of everything that their verdicts
// depend on, as far as it is known. Tests may also read files of other folders.
type keys struct {
	common string // "" if something cannot be read; then nothing is cached
	dir    string // of the package
}

// keysIn returns what the keys of the members of the package in a folder have in common.
func (c *Config) keysIn(dir, binary string) keys {
	sum, err := contentHash(dir, func(path string) bool { return unread(dir, path) }, noFile)
	if err != nil {
		return keys{}
	}
	return keys{score.Key(binary, sum, fmt.Sprint(c.Limits.Timeout), fmt.Sprint(c.Limits.Memory)), dir}
}

// unread reports whether the tests of the package in a folder read nothing in a folder below it, as far as that is known: it has
// stored cases, is hidden, or is another package.
func unread(dir, path string) bool {
	if path == dir || path == storedIn(dir) || inFolder(filepath.Join(dir, "testdata"), path) {
		return path == storedIn(dir)
	}
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" {
		return true
	}
	files, _ := filepath.Glob(filepath.Join(path, "*.go")) // if the name has brackets, the folder is read
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return len(files) > 0 || err == nil
}

// storedIn returns the folder of the stored cases of a package.
func storedIn(dir string) string { return filepath.Join(dir, "testdata", "allele") }

func inFolder(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}

// tests returns the key of the ordinary tests.
func (k keys) tests(match, skip *regexp.Regexp) string {
	if k.common == "" {
		return ""
	}
	return score.Key(k.common, fmt.Sprint(match), fmt.Sprint(skip))
}

// property returns the key of a property, which has stored cases and saved inputs, and whether
// a search has run it.
func (k keys) property(p launch.Property) (key string, searched bool) {
	root, err := cache.Corpora()
	if err != nil {
		return "", false
	}
	c, err := corpus.Read(corpus.Folder(root, p.Package, p.Name))
	if err != nil {
		return "", false
	}
	cases, err := contentHash(storedIn(k.dir), noFile, noFile)
	if err != nil || k.common == "" {
		return "", c.Runs > 0
	}
	var saved []string
	for _, e := range c.Entries {
		saved = append(saved, e.Input)
	}
	slices.Sort(saved)
	return score.Key(k.common, cases, score.Key(saved...), score.Key(settings()...)), c.Runs > 0
}

// settings returns the variables of the environment that decide which inputs go test makes.
func settings() (all []string) {
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "ALLELE_") {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all
}

func noFile(string) bool { return false }

// hashedMax is how many bytes are read for a hash. If there are more, nothing is cached: to
// read them would take longer than to judge the faults.
const hashedMax = 1 << 30

// contentHash returns a hash of the names and contents of the files below a folder, which need
// not exist. Folders for which skip returns true are left out,
// and files for which without does.
func contentHash(root string, skip, without func(path string) bool) (string, error) {
	h, size := sha256.New(), int64(0)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && skip(path):
			return fs.SkipDir
		case !d.Type().IsRegular():
			fmt.Fprintf(h, "%q %v\n", path, d.Type())
			return nil
		}
		if without(path) {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		name, _ := filepath.Rel(root, path) // both are absolute or both are not
		one := sha256.New()
		n, err := io.Copy(one, io.LimitReader(f, hashedMax-size+1))
		if size += n; err == nil && size > hashedMax {
			err = fmt.Errorf("%s: more than %d bytes", root, hashedMax)
		}
		fmt.Fprintf(h, "%q %x\n", name, one.Sum(nil))
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), err
}

// goState is the version of Go and the settings of the go command.
type goState struct {
	text, modCache string
	err            error
}

func goSettings(c *Config) (s goState) {
	conf, err := c.LoadConfig()
	if err != nil {
		return goState{err: err}
	}
	out, err := conf.Go("env", "GOMODCACHE", "GOVERSION", "GOFLAGS", "GOOS", "GOARCH", "GOEXPERIMENT", "CGO_ENABLED", "GOAMD64", "GOARM64",
		"GODEBUG", "CC", "CGO_CFLAGS", "CGO_LDFLAGS", "GOWORK", "GOMOD")
	s = goState{text: score.Key(string(out), runtime.Version()), err: err}
	s.modCache, _, _ = strings.Cut(string(out), "\n")
	s.modCache = strings.TrimSpace(s.modCache)
	return s
}
