//go:build go1.25

package property

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/value/codec"
)

// Place is the location of a property: its package, and the folder of its cases.
type Place struct {
	Dir string // testdata/allele/<name>, relative to the package
	Pkg string // import path of the package that code is written for, with _test if external: that of the test
	Src *codec.PackageConsts

	test string // import path of the package under test, which may call a package that has the property

	styled *codec.Style // the result of Style, after the first call
}

// locate sets the place of a property. prop is the address of the property's function.
func (p *Property) locate(prop uintptr) {
	p.Place = Place{Dir: filepath.Join("testdata", "allele", casefile.Stored(p.Name)), Pkg: packageOf(prop), Src: codec.SourceConsts(Home),
		test: tested()}
	if p.Place.test != "" && p.Place.Package() != p.Place.test {
		p.Place.Pkg = testPackage(p)
	}
}

// testPackage returns the import path of the package that the test is in, if the property is in
// another one. The functions of the test are on the stack, except in a suite that another module
// runs; then the source shows it.
func testPackage(p *Property) string {
	calls := make([]uintptr, callersMax)
	for frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls)]); ; {
		frame, more := frames.Next()
		if path := packageIn(frame.Function); strings.TrimSuffix(path, "_test") == p.Place.test {
			return path
		}
		if !more {
			break
		}
	}
	if top, _, _ := strings.Cut(p.TB.Name(), "/"); p.Place.Src.External(top) {
		return p.Place.test + "_test"
	}
	return p.Place.test
}

// callersMax bounds the callers of a Check that are looked at.
const callersMax = 100

// tested returns the package under test: that of the test binary. Another package may run a
// subtest, as suites do. Outside a test binary, it returns "".
func tested() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	path, _ := strings.CutSuffix(info.Path, ".test")
	if path == info.Path {
		return ""
	}
	return path
}

// Package returns the import path of the package that the test is in.
func (p *Place) Package() string { return strings.TrimSuffix(p.Pkg, "_test") }

// Tested returns the import path of the package under test, for command lines.
func (p *Place) Tested() string {
	if p.test != "" {
		return p.test
	}
	return p.Package()
}

// Style returns how values are written in the package. The first call reads go.mod and
// the source, which a Check that passes does not need.
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

// Home is the folder of the package under test, where a test binary starts. A test may
// change the working directory later, by itself or in a property that never ends. Tests of
// this module set another folder here.
var Home = func() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}()

// At returns the path of a file that is named relative to the folder of the package. The
// path stays valid if the test changes the working directory.
func At(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(Home, file)
}

// packageOf returns the import path in a function's symbol name, where dots of the last
// element are written %2e.
func packageOf(pc uintptr) string { return packageIn(runtime.FuncForPC(pc).Name()) }

// packageIn returns the import path in the name of a function.
func packageIn(name string) string {
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

// Flags returns the flags of the go command that the test was built with and that change
// the test, from the build information of the binary.
func (p *Place) Flags() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "-tags":
			own := func(tag string) bool { return tag == job.Tag }
			if tags := slices.DeleteFunc(strings.Split(s.Value, ","), own); strings.Join(tags, "") != "" {
				text += "-tags=" + strings.Join(tags, ",") + " "
			}
		case s.Key == "-race" && s.Value == "true":
			text += "-race "
		}
	}
	return text
}

// hasNewExpr reports whether the language version of the module that contains dir has
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

// Pattern returns the argument of allele test -run for this property, quoted for a shell.
func (p *Property) Pattern() string { return shellQuoted("^" + regexp.QuoteMeta(p.Name) + "$") }

// TestPattern returns the argument of go test -run for the test of this property, quoted
// for a shell.
func (p *Property) TestPattern() string { return shellQuoted(NamePattern(p.TB.Name())) }

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// NamePattern returns a pattern for -run that matches just the test of that name.
func NamePattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// Write writes a case file, completely or not at all.
func (p *Place) Write(file string, data []byte) error {
	if err := os.MkdirAll(At(p.Dir), 0o777); err != nil {
		return err
	}
	return casefile.Write(At(file), data)
}

// Remove removes a case file, and the folder if it is empty then.
func (p *Place) Remove(file string) {
	if file == "" {
		return
	}
	if err := os.Remove(At(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // an extra case does no harm
	}
	os.Remove(At(p.Dir)) // if it is empty
}
