//go:build go1.25

package build

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/allele-go/allele/internal/source/load"
)

// replacement is a replace directive of a go.mod or go.work file.
type replacement struct{ Old, New version }

// version is one side of a replace directive. It is a version of a module; all versions
// of a module, if Version is empty; or a folder that replaces a module.
type version struct{ Path, Version string }

// String returns v as it is written in a replace directive. A path without a version
// may be a folder, which may contain any character, so it is quoted.
func (v version) String() string {
	if v.Version == "" {
		return strconv.Quote(v.Path)
	}
	return v.Path + " " + v.Version
}

// replaces returns the replace directives of a file. It makes the paths of folders
// absolute, so that the directives can be copied to another file.
func (o *Overlay) replaces(kind, file string) ([]replacement, error) {
	out, err := o.config.Load.Go(kind, "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var content struct{ Replace []replacement }
	if err := json.Unmarshal(out, &content); err != nil {
		return nil, fmt.Errorf("go %s edit -json: %w", kind, err)
	}
	for i := range content.Replace {
		if to := &content.Replace[i].New; to.Version == "" && !filepath.IsAbs(to.Path) {
			to.Path = filepath.Join(filepath.Dir(file), to.Path)
		}
	}
	return content.Replace, nil
}

// forModule returns the directives that replace one module.
func forModule(m *load.Module, all []replacement) []replacement {
	return slices.DeleteFunc(slices.Clone(all), func(r replacement) bool { return r.Old.Path != m.Path })
}

// redirects returns the directives that make the go command read a module from its
// copy. Our directive takes the place of the user's directive for this version or, if
// there is none, of the user's directive for all versions. The user's other directives
// stay, because they apply to the go.mod files of other versions.
func redirects(m *load.Module, copied string, user []replacement) []replacement {
	ours := replacement{version{m.Path, m.Version}, version{Path: copied}}
	exact := slices.ContainsFunc(user, func(r replacement) bool { return r.Old == ours.Old })
	forAll := slices.ContainsFunc(user, func(r replacement) bool { return r.Old.Version == "" })
	if !exact && forAll {
		ours.Old.Version = ""
	}
	others := slices.DeleteFunc(slices.Clone(user), func(r replacement) bool { return r.Old == ours.Old })
	return append(others, ours)
}
