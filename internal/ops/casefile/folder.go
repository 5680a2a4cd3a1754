package casefile

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Folder is where the files of a property are put below root: a folder for each
// element of the package's path, then one for the property.
//
// Signs that some file systems do not allow are written as %XX, and so is the
// first letter of a name that Windows keeps for a device. Owner undoes that. A
// name that is too long is cut and gets a hash, which nobody can undo; the header
// of a file says the same.
func Folder(root, pkg, property string) string {
	parts := []string{root}
	for part := range strings.SplitSeq(pkg, "/") {
		parts = append(parts, escape(part))
	}
	return filepath.Join(append(parts, escape(property))...)
}

// nameMax keeps names below what every file system allows.
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
		return "%" // no name is written like this
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

// Owner is the package and the property that a file belongs to: as its header
// says, or if that does not, as its path below root does. They are empty if
// neither does.
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
