//go:build go1.25

package codec

import (
	"bytes"
	"go/build/constraint"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// Package go/build knows which files a binary is built from, but it is a second of compilation in
// every user's first go test. This file has the part that is needed here.

// tags reports which build tags are set.
type tags func(tag string) bool

// ownTags returns the tags of this binary, as they are recorded in it.
func ownTags() tags {
	set := []string{runtime.GOOS, runtime.GOARCH, runtime.Compiler}
	if also, ok := map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}[runtime.GOOS]; ok {
		set = append(set, also)
	}
	if slices.Contains(unixes, runtime.GOOS) {
		set = append(set, "unix")
	}
	info, _ := debug.ReadBuildInfo() // without it no tags are known
	if info != nil {
		for _, s := range info.Settings {
			switch {
			case s.Key == "-tags":
				set = append(set, strings.Split(s.Value, ",")...)
			case s.Key == "CGO_ENABLED" && s.Value == "1":
				set = append(set, "cgo")
			case s.Key == "GOEXPERIMENT":
				for name := range strings.SplitSeq(s.Value, ",") {
					set = append(set, "goexperiment."+name)
				}
			}
		}
	}
	return func(tag string) bool { return slices.Contains(set, tag) || released(tag) }
}

// released reports whether a tag is a version of Go, and not newer than the one of this binary.
func released(tag string) bool {
	minor := func(version string) (int, bool) {
		text, ok := strings.CutPrefix(version, "go1.")
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, err := strconv.Atoi(text[:digits])
		return n, ok && err == nil
	}
	n, ok := minor(tag)
	own, known := minor(runtime.Version())
	return ok && tag == "go1."+strconv.Itoa(n) && (!known || n <= own) // a development version has no number
}

// Names of systems and processors that a file name may end with, as in x_linux_amd64.go. The go
// command has the same list, and adds no more names to it.
var (
	unixes = strings.Fields(`aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris`)
	others = strings.Fields(`js nacl plan9 wasip1 windows zos`)
	archs  = strings.Fields(`386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le
		ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)
)

func isSystem(name string) bool {
	return slices.Contains(unixes, name) || slices.Contains(others, name)
}

// selects reports whether a file is one of those that the binary is built from.
func (is tags) selects(file string) bool {
	src, err := os.ReadFile(file)
	return is.selectsName(filepath.Base(file)) && (err != nil || is.selectsText(src))
}

// selectsName decides by the name of a file.
func (is tags) selectsName(name string) bool {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test"), "_")[1:]
	n := len(parts)
	switch {
	case n >= 2 && isSystem(parts[n-2]) && slices.Contains(archs, parts[n-1]):
		return is(parts[n-2]) && is(parts[n-1])
	case n >= 1 && (isSystem(parts[n-1]) || slices.Contains(archs, parts[n-1])):
		return is(parts[n-1])
	}
	return true
}

// selectsText decides by the constraint before the package clause: a line //go:build, or all lines // +build.
func (is tags) selectsText(src []byte) bool {
	old, block := true, false
	for line := range bytes.Lines(src) {
		text := string(bytes.TrimSpace(line))
		switch {
		case block:
			block = !strings.Contains(text, "*/")
		case strings.HasPrefix(text, "/*"):
			block = !strings.Contains(text, "*/")
		case constraint.IsGoBuild(text):
			x, err := constraint.Parse(text)
			return err != nil || x.Eval(is)
		case constraint.IsPlusBuild(text):
			if x, err := constraint.Parse(text); err == nil {
				old = old && x.Eval(is)
			}
		case text != "" && !strings.HasPrefix(text, "//"):
			return old
		}
	}
	return old
}
