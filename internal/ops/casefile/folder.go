//go:build go1.25

package casefile

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Folder returns the folder for the files of a property: below root, one folder for each
// element of the package's path, and then one for the property.
//
// Characters that some file systems do not allow are written as %XX, and so is the first
// letter of a name that Windows reserves for a device. Owner reverses that. A name that
// is too long is shortened and gets a hash. That cannot be reversed, but the header of
// each file contains the full names.
func Folder(root, pkg, property string) string {
	parts := []string{root}
	for part := range strings.SplitSeq(pkg, "/") {
		parts = append(parts, escape(part))
	}
	return filepath.Join(append(parts, escape(property))...)
}

// nameMax keeps names below the limits of all file systems.
const nameMax = 100

func escape(name string) string {
	var b strings.Builder
	stem, _, _ := strings.Cut(name, ".")
	for i, c := range []byte(name) {
		switch {
		case i == 0 && device(stem), c == '.' && (i == 0 || i == len(name)-1):
			fmt.Fprintf(&b, "%%%02X", c)
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_-=+,#.", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if s == "" {
		return "%" // stands for the empty name; no other name is escaped like this
	}
	if len(s) > nameMax {
		sum := sha256.Sum256([]byte(name))
		s = fmt.Sprintf("%.*s-%x", nameMax-9, s, sum[:4])
	}
	return s
}

func device(s string) bool {
	switch s = strings.ToLower(s); s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt"))
}

// Owner returns the package and the property that a file belongs to. It reads the two
// names from the header or, if they are missing there, from the path, which is relative
// to the root of Folder. A name that is in neither is empty.
func Owner(f File, path string) (pkg, property string) {
	dir, last := filepath.Split(filepath.Dir(path))
	if pkg, ok := f.Fact("package"); ok {
		property, _ = f.Fact("test")
		return pkg, property
	}
	if property, _ = f.Fact("test"); property == "" {
		property = unescape(last)
	}
	var parts []string
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(dir)), "/") {
		if part != "." && part != "" {
			parts = append(parts, unescape(part))
		}
	}
	return strings.Join(parts, "/"), property
}

func unescape(name string) string {
	s, err := url.PathUnescape(name)
	if err != nil || name == "." {
		return ""
	}
	return s
}
