//go:build go1.25

package casefile

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
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

// Stored returns the name of the folder in testdata/allele for the cases of a property. It is
// valid on every file system: letters, digits and a few signs stay, the rest is written as %XX. A
// name that Windows reserves for a device, or that is too long, gets a hash. On Windows, names that
// differ only in case share a folder, so a case file also names its property.
func Stored(property string) string {
	var b strings.Builder
	for _, c := range []byte(property) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_-=+,#", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if len(s) > nameMax || s == "" || device(s) {
		h := fnv.New64a()
		h.Write([]byte(property))
		s = fmt.Sprintf("%.*s-%08x", nameMax-9, s, uint32(h.Sum64()))
	}
	return s
}

// Short reports whether Stored shortened the name of a folder, so that the folder shows only its
// beginning.
func Short(folder string) bool { return len(folder) == nameMax && shortened.MatchString(folder) }

var shortened = regexp.MustCompile(`-[0-9a-f]{8}$`)

// testLine is the line of a header that names the property.
var testLine = regexp.MustCompile(`^//[ \t]*test[ \t]+(.*)$`)

// Renamed returns the text of a case file whose header names another property. A header that
// names none stays as it is.
func Renamed(data []byte, property string) []byte {
	at := 0
	for line := range bytes.Lines(data) {
		text := bytes.TrimSpace(line)
		if len(text) > 0 && !bytes.HasPrefix(text, []byte("//")) {
			break
		}
		if testLine.Match(text) {
			name := fmt.Sprintf("// %-*s %s\n", keyColumn, "test", oneLine(property))
			return slices.Concat(data[:at], []byte(name), data[at+len(line):])
		}
		at += len(line)
	}
	return data
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
