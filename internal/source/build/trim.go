//go:build go1.25

package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Trim removes what has become useless in a work folder that is still used: binaries of
// packages that are no longer tested, rewritten files of packages that are gone, and copies
// of modules in old versions. It removes what was last used, or written, before a time and
// does not belong to the last build. If a build needs it again after all, it is made again.
// No command may use the folder meanwhile. What cannot be removed stays.
func Trim(work string, before time.Time) {
	m, _ := readManifest(work) // without a manifest, there is no last build
	old := func(d fs.DirEntry) bool {
		info, err := d.Info()
		return err == nil && info.ModTime().Before(before)
	}
	for _, folder := range []string{"bin", "records", "tried", "src", "operands", "mod"} {
		top := filepath.Join(work, folder)
		var dirs []string
		filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // it is not there
			}
			name, _ := filepath.Rel(work, path)
			switch {
			case folder == "mod" && d.IsDir() && isCopy(d.Name()):
				if !slices.Contains(copiesOf(m), path) && old(d) {
					os.RemoveAll(path)
				}
				return fs.SkipDir
			case d.IsDir():
				dirs = append(dirs, path)
			case folder != "mod" && m.Files[name] == "" && old(d):
				os.Remove(path)
			}
			return nil
		})
		for _, dir := range slices.Backward(dirs) {
			os.Remove(dir) // fails unless it is empty
		}
	}
}

// isCopy reports whether a folder with this name is the copy of a module, or a part of one
// that was interrupted.
func isCopy(name string) bool {
	return strings.Contains(name, "@") || strings.HasPrefix(name, partPrefix)
}

func copiesOf(m manifest) (dirs []string) {
	for _, dir := range m.Copies {
		dirs = append(dirs, dir)
	}
	return dirs
}
