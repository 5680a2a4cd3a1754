//go:build go1.25

package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/source/load"
)

// The go command does not allow an overlay for files in the module cache. So if a
// package in scope is in the cache, its module is copied to the work folder. The
// overlay then contains a changed go.mod of the main module, or a changed go.work, that
// refers to the copy. Vendor folders, and folders that a replace directive names, are
// outside the cache and need no copy.

const partPrefix = "part-" // of the names of incomplete copies

// copyModules makes the copies, and adds the go.mod or go.work that refers to them.
func (o *Overlay) copyModules(prog *load.Program) error {
	if !slices.ContainsFunc(prog.Scope, func(p *load.Package) bool { return p.Module == nil || !p.Module.Main }) {
		return nil
	}
	out, err := o.config.Load.Go("env", "GOMODCACHE", "GOWORK")
	if err != nil {
		return err
	}
	lines := strings.Split(string(out), "\n")
	cache, workspace := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[1])
	var taken []*load.Module
	for _, pkg := range prog.Scope {
		inCache, err := filepath.Rel(cache, pkg.Dir)
		if err != nil || !filepath.IsLocal(inCache) {
			continue
		}
		if pkg.Module == nil || pkg.Module.Dir == "" {
			return fmt.Errorf("-scope %s: %s is in the module cache, and allele cannot instrument it there; "+
				"install that version of Go and set GOTOOLCHAIN=local", pkg.Path, pkg.Dir)
		}
		if o.copies[pkg.Module.Dir] != "" {
			continue
		}
		if o.copies[pkg.Module.Dir], err = o.copyModule(pkg.Module, cache); err != nil {
			return fmt.Errorf("copy module %s: %w", pkg.Module.Path, err)
		}
		taken = append(taken, pkg.Module)
	}
	if len(taken) == 0 {
		return nil
	}
	return o.redirect(taken, workspace)
}

// placed returns the path where the go command looks for a file. That is a path in the
// copy of the file's module, if there is a copy.
func (o *Overlay) placed(file string) string {
	for module, copied := range o.copies {
		if rest, ok := strings.CutPrefix(file, module); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			return filepath.Join(copied, rest)
		}
	}
	return file
}

// copyModule copies a module to a folder of the same name as in the cache. The name
// includes the version, so if the folder exists already, its content is right. The
// folder gets this name only when the copy is complete, so an interrupted copy is never
// used.
func (o *Overlay) copyModule(m *load.Module, cache string) (copied string, err error) {
	name, err := filepath.Rel(cache, m.Dir)
	if err != nil {
		return "", err
	}
	if copied, err = filepath.Abs(filepath.Join(o.config.Work, "mod", name)); err != nil {
		return "", err
	}
	if _, err := os.Stat(copied); !errors.Is(err, fs.ErrNotExist) {
		now := time.Now()
		os.Chtimes(copied, now, now) // for Trim; without the right time, the module is copied again some day
		return copied, err
	}
	parent := filepath.Dir(copied)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(parent, partPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // after the rename this does nothing
	if err := fill(part, m); err != nil {
		return "", err
	}
	if err := os.Rename(part, copied); err != nil && !exists(copied) { // another process may have been first
		return "", err
	}
	return copied, nil
}

// fill copies the files of a module into dir and makes them writable; files in the
// cache are not. The copy gets the go.mod that the go command uses, because the module
// itself may have none.
func fill(dir string, m *load.Module) error {
	if err := os.Chmod(dir, 0o777); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return err
	}
	mod, err := os.ReadFile(m.GoMod)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// redirect adds a changed go.mod or go.work to the overlay. It contains a replace
// directive from each copied module to its copy.
func (o *Overlay) redirect(taken []*load.Module, workspace string) error {
	mains, err := o.mainModules()
	if err != nil {
		return err
	}
	kind, file := "mod", mains[0].GoMod
	if workspace != "" && workspace != "off" {
		kind, file = "work", workspace
	}
	own, err := o.replaces(kind, file)
	if err != nil {
		return err
	}
	edit := []string{kind, "edit", "-print"}
	var lines strings.Builder
	for _, m := range taken {
		user := forModule(m, own)
		for _, r := range user {
			edit = append(edit, "-dropreplace="+strings.TrimSuffix(r.Old.Path+"@"+r.Old.Version, "@"))
		}
		// A replace directive in go.work overrides the directives in go.mod files for
		// the same module. So the directives of the go.mod files are repeated in go.work.
		for i := 0; kind == "work" && len(user) == 0 && i < len(mains); i++ {
			all, err := o.replaces("mod", mains[i].GoMod)
			if err != nil {
				return err
			}
			user = forModule(m, all)
		}
		for _, r := range redirects(m, o.copies[m.Dir], user) {
			fmt.Fprintf(&lines, "replace %s => %s\n", r.Old, r.New)
		}
	}
	text, err := o.config.Load.Go(append(edit, file)...)
	if err != nil {
		return err
	}
	changed := filepath.Join(o.config.Work, "main", "go."+kind)
	o.replace[file] = changed
	return o.write(changed, append(text, lines.String()...))
}

// mainModules returns the main module, or the modules of a workspace. Their GoMod is
// the file in use, which may be another one than go.mod because of -modfile.
func (o *Overlay) mainModules() (mains []*load.Module, err error) {
	out, err := o.config.Load.Go(append([]string{"list", "-m", "-json=Path,Main,Dir,GoMod"}, o.config.Load.Flags...)...)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		m := &load.Module{}
		if err := dec.Decode(m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		if !filepath.IsAbs(m.GoMod) { // -modfile may be relative
			if m.GoMod, err = filepath.Abs(filepath.Join(o.config.Load.Dir, m.GoMod)); err != nil {
				return nil, err
			}
		}
		mains = append(mains, m)
	}
	if len(mains) == 0 {
		return nil, errors.New("go list -m: there is no main module; run allele in the folder of a module")
	}
	return mains, nil
}
