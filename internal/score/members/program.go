//go:build go1.25

package members

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/ledger"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/load"
)

// programOf returns what the verdicts of the tests of a package depend on, in the form of package ledger: what an edit may
// leave as it is apart from what it may not.
func programOf(c *Config, t team) ledger.Program {
	parts := partsOf(c, t.Path)
	sum, err := others(c, t, parts)
	if err != nil {
		sum = "" // then nothing is used again
	}
	return ledger.Program{Others: sum, Source: func(funcs []string) (*change.Influence, error) {
		tags := append(load.SplitTags(cmp.Or(c.Tags, c.InForce.Tags)), job.Tag)
		tree, err := change.Load(parts, nil, tags)
		if err == nil && tree.Newest().After(c.Began) {
			err = errors.New("a file has changed since it was built")
		}
		if err != nil {
			return nil, err
		}
		return tree.Influence(change.Property{Package: t.Path, Parts: parts}, ledger.Noted(funcs)), nil
	}}
}

// partsOf returns the packages that the tests of a package are built from.
func partsOf(c *Config, test string) (parts []change.Part) {
	for _, n := range c.Listing.Needs(test) {
		parts = append(parts, change.Part(n))
	}
	return parts
}

// others returns a checksum of what verdicts depend on besides the source of the packages in scope.
func others(c *Config, t team, parts []change.Part) (string, error) {
	self, err := selfHash()
	if err != nil {
		return "", err
	}
	if t.settings.err != nil {
		return "", t.settings.err
	}
	mods, err := modules(parts, t.settings.modCache)
	if err != nil {
		return "", err
	}
	all := []string{self, t.settings.text, mods, fmt.Sprint(c.Flags()), fmt.Sprint(c.Limits.Timeout), fmt.Sprint(c.Limits.Memory)}
	noGo := func(path string) bool { return strings.HasSuffix(path, ".go") && !inTestdata(path) || modFile(path) }
	for _, p := range parts {
		if !p.Own && inFolder(t.settings.modCache, p.Dir) {
			continue // a version of a module never changes
		}
		skip := func(path string) bool { return path != p.Dir }
		without := noGo
		if !p.Own {
			without = noFile
		}
		switch embeds, err := embedding(p); {
		case err != nil:
			return "", err
		case embeds:
			skip = noFile
		case p.Path == t.Path:
			skip = func(path string) bool { return unread(p.Dir, path) }
		}
		sum, err := contentHash(p.Dir, skip, without)
		if err != nil {
			return "", err
		}
		all = append(all, p.Path, sum)
	}
	return score.Key(all...), nil
}

// inTestdata reports whether a file is in a folder that the go command leaves out.
func inTestdata(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/testdata/")
}

// modFile reports whether a file counts as what modules says about it.
func modFile(path string) bool {
	return slices.Contains([]string{"go.mod", "go.sum"}, filepath.Base(path)) && !inTestdata(path)
}

// embedding reports whether a package contains other files.
func embedding(p change.Part) (bool, error) {
	for _, name := range p.Files {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return false, err
		}
		if bytes.Contains(src, []byte("//go:embed")) {
			return true, nil
		}
	}
	return false, nil
}

// modules returns what the go.mod files of the packages say, and the file of a workspace: without comments, and without the
// layout.
func modules(parts []change.Part, modCache string) (text string, err error) {
	seen := map[string]bool{}
	for _, p := range parts {
		for dir := p.Dir; !inFolder(modCache, dir) && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			for _, name := range []string{"go.mod", "go.work"} {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if errors.Is(err, os.ErrNotExist) {
					continue
				} else if err != nil {
					return "", err
				}
				text += plainMod(string(data))
			}
		}
	}
	return text, nil
}

func plainMod(src string) (text string) {
	for line := range strings.Lines(src) {
		line, _, _ = strings.Cut(line, "//")
		if words := strings.Fields(line); len(words) > 0 {
			text += strings.Join(words, " ") + "\n"
		}
	}
	return text
}

// selfHash returns a hash of this command: another version may judge in another way.
func selfHash() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}
