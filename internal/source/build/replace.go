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

// version is a module, all versions of one, or a folder in the place of one.
type version struct{ Path, Version string }

// String writes it as a line of these files. A folder may hold any character.
func (v version) String() string {
	if v.Version == "" {
		return strconv.Quote(v.Path)
	}
	return v.Path + " " + v.Version
}

// replaces reads the directives of a file; its folders are made absolute, so
// that they may be put into another file.
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

// of picks the directives for one module.
func of(m *load.Module, all []replacement) []replacement {
	return slices.DeleteFunc(slices.Clone(all), func(r replacement) bool { return r.Old.Path != m.Path })
}

// leadTo gives the directives by which a module is read from its copy. One of the
// user for this version, or else for all versions, gives way to ours; the others
// still say what go.mod files of other versions hold, and stay.
func leadTo(m *load.Module, copied string, user []replacement) []replacement {
	ours := replacement{version{m.Path, m.Version}, version{Path: copied}}
	exact := slices.ContainsFunc(user, func(r replacement) bool { return r.Old == ours.Old })
	forAll := slices.ContainsFunc(user, func(r replacement) bool { return r.Old.Version == "" })
	if !exact && forAll {
		ours.Old.Version = ""
	}
	others := slices.DeleteFunc(slices.Clone(user), func(r replacement) bool { return r.Old == ours.Old })
	return append(others, ours)
}
