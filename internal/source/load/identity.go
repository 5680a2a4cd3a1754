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

// environment lists the variables of go env that affect which files are built,
// what they mean, or where they are. What the go command finds with them is in
// the listing.
var environment = []string{
	"GOMODCACHE", "GOWORK", "GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOFLAGS", "GOEXPERIMENT",
	"CGO_ENABLED", "CC", "CGO_CFLAGS", "CGO_CPPFLAGS",
}

// Identity returns a text that differs between two listings whenever Check could
// return something different. Files are compared by content, because modification
// times are coarse and change with a checkout. Packages of the standard library
// and of the module cache are left out unless they are in scope, because a
// version never changes. Headers that C code includes from elsewhere are left out
// too.
//
// Call Identity before Check: then a file that changes in between belongs to the
// next identity.
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
	if err := json.NewEncoder(sum).Encode([]any{dir, l.config.Patterns, l.config.Scope, l.config.Flags, string(env), l.all}); err != nil {
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
	seen map[string]bool // variants share files
	err  error           // the first error
}

// files adds the content of files. A missing file differs from an empty one.
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
