//go:build go1.25

package load

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// environment lists the variables of go env that affect which files are built, what
// they mean, or where they are. Identity refers to the first two by index. Its checksum
// also covers the listing, which contains what the go command finds with these variables.
var environment = []string{
	"GOMODCACHE", "GOWORK", "GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOFLAGS", "GOEXPERIMENT",
	"CGO_ENABLED", "CC", "CGO_CFLAGS", "CGO_CPPFLAGS",
}

// Identity returns a checksum. If Check could return different results for two
// listings, their checksums differ. Files count by content, because modification times
// are coarse and change with a checkout. The files of the standard library and of the
// module cache do not count unless they are in scope, because a published version never
// changes. C headers outside the folder of the package do not count either.
//
// Call Identity before Check. Then a file that changes between the two calls makes the
// next Identity differ, and no old result is used for it.
func (l *Listing) Identity() (string, error) {
	dir, err := filepath.Abs(l.config.Dir)
	if err != nil {
		return "", err
	}
	env, err := l.config.Go(append([]string{"env"}, environment...)...)
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(env), "\n")
	if len(lines) < len(environment) {
		return "", errors.New("go env: too few lines")
	}
	sum := &identity{Hash: sha256.New(), seen: map[string]bool{}}
	c := l.config
	settings := []any{dir, c.Patterns, c.Scope, c.All, c.Main, c.Building(), string(env), l.all, l.broken}
	if err := json.NewEncoder(sum).Encode(settings); err != nil {
		return "", err
	}
	cache, workspace := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[1])
	if filepath.IsAbs(workspace) {
		sum.files("", workspace, workspace+".sum")
	}
	for _, p := range l.all {
		fixed := p.Standard || below(cache, p.Dir)
		if fixed && !inScope(p, l.config.Scope) || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		sum.files(p.Dir, p.GoFiles...)
		sum.files(p.Dir, p.CgoFiles...)
		sum.files(p.Dir, p.HFiles...)
		if m := p.Module; m != nil && m.GoMod != "" && !below(cache, m.GoMod) {
			sum.files(dir, m.GoMod, strings.TrimSuffix(m.GoMod, ".mod")+".sum")
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), sum.err
}

// below reports whether a file is in a folder or in one of its subfolders.
func below(dir, file string) bool {
	inside, err := filepath.Rel(dir, file)
	return dir != "" && err == nil && filepath.IsLocal(inside)
}

// identity is a checksum of files, by name and content.
type identity struct {
	hash.Hash
	seen map[string]bool // files already added, because variants share files
	err  error           // the first error
}

// files adds the names and contents of files. A missing file counts differently from an
// empty one.
func (s *identity) files(dir string, names ...string) {
	for _, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if s.err != nil || s.seen[name] {
			continue
		}
		s.seen[name] = true
		content, err := os.ReadFile(name)
		switch {
		case err == nil:
			fmt.Fprintf(s, "%q %x\n", name, sha256.Sum256(content))
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(s, "%q is not there\n", name)
		default:
			s.err = err
		}
	}
}
