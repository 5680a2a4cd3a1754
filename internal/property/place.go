package property

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/allele-go/allele/internal/value/codec"
)

// Place is where a property lives: its package, and the folder of its cases.
type Place struct {
	Dir string // testdata/allele/<name>, relative to the package
	Pkg string // import path of the package the property is in, with _test if external
	Src *codec.PackageConsts

	styled *codec.Style // what Style gives, once it was asked for
}

// Locate finds the place of a Check by a function of it.
func (p *Property) Locate(prop uintptr) {
	p.Place = Place{Dir: filepath.Join("testdata", "allele", fileName(p.Name)), Pkg: packageOf(prop), Src: codec.SourceConsts(Home)}
}

// Package is the import path of the package under test.
func (p *Place) Package() string { return strings.TrimSuffix(p.Pkg, "_test") }

// Style is how values are written there. It reads go.mod and the source, which
// a Check that passes has no use for.
func (p *Place) Style() codec.Style {
	if p.styled == nil {
		style := p.makeStyle()
		p.styled = &style
	}
	return *p.styled
}

func (p *Place) makeStyle() codec.Style {
	return codec.Style{Pkg: p.Pkg, New: hasNewExpr(Home), Consts: p.Src, Declared: func(pkg, name string) bool {
		return strings.TrimSuffix(pkg, "_test") != strings.TrimSuffix(p.Pkg, "_test") || p.Src.Declares(name)
	}}
}

// Home is the folder of the package under test, where a test binary starts. A
// test may go elsewhere later, by itself or in a property that never ends. Tests of this
// module put another folder here.
var Home = func() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}()

// At is where a path that is shown relative to the package really is.
func At(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(Home, file)
}

// packageOf is the import path in a function's symbol name, where dots of the
// last element are written %2e.
func packageOf(pc uintptr) string {
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	path, err := url.PathUnescape(name[:slash+dot])
	if err != nil {
		return name[:slash+dot]
	}
	return path
}

// Flags are those of the go command that decide what the test is, as the
// binary remembers them.
func (p *Place) Flags() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "-tags" && s.Value != "":
			text += "-tags=" + s.Value + " "
		case s.Key == "-race" && s.Value == "true":
			text += "-race "
		}
	}
	return text
}

// hasNewExpr reports whether the language version of the module around dir has
// new(expr), which came with Go 1.26.
func hasNewExpr(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return newEnough(data)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

func newEnough(gomod []byte) bool {
	for line := range bytes.Lines(gomod) {
		var major, minor int
		if n, _ := fmt.Sscanf(string(line), "go %d.%d", &major, &minor); n == 2 {
			return major > 1 || minor >= 26
		}
	}
	return false
}

// nameMax keeps file names below what every file system allows.
const nameMax = 100

// fileName turns the name of a property into one for a folder on every file
// system: letters, digits and a few signs stay, the rest is written as %XX. A
// name that Windows keeps for a device, or that is too long, gets a hash. Names
// that differ only in case share a folder there, so a case also says whose it is.
func fileName(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_-=+,#", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if len(s) > nameMax || device(s) {
		h := fnv.New64a()
		h.Write([]byte(name))
		s = fmt.Sprintf("%.*s-%08x", nameMax-9, s, uint32(h.Sum64()))
	}
	return s
}

func device(s string) bool {
	switch s = strings.ToLower(s); s {
	case "", "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt"))
}

// Pattern is what -run of allele test needs in a shell for this property.
func (p *Property) Pattern() string { return shellQuoted("^" + regexp.QuoteMeta(p.Name) + "$") }

// TestPattern is what -run of go test needs in a shell to run the test of this property.
func (p *Property) TestPattern() string { return shellQuoted(NamePattern(p.TB.Name())) }

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// NamePattern is what -run needs to run just the test of that name.
func NamePattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Write stores a file of a case. It is complete on disk or not there at all.
func (p *Place) Write(file string, data []byte) error {
	if err := os.MkdirAll(At(p.Dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(At(p.Dir), ".writing-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), At(file))
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Remove removes one, and the folder with the last.
func (p *Place) Remove(file string) {
	if file == "" {
		return
	}
	if err := os.Remove(At(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // a case too many does no harm
	}
	os.Remove(At(p.Dir)) // if it is empty
}
