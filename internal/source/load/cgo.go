//go:build go1.25

package load

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The types of names from C are known only to the C compiler. The go command can translate
// the Go files of a package that uses cgo (go list -compiled), but then it compiles all C code
// of the package too, and the build does so again, because rewritten files make it another
// package. So the tool cgo is run here, which asks the C compiler for types only. If that
// fails, for example because of SWIG, the go command does the translation.

// cgoPackage is what cgo needs to know of a package.
type cgoPackage struct {
	Dir, ImportPath                                string
	CgoFiles, CgoCFLAGS, CgoCPPFLAGS, CgoPkgConfig []string
	SwigFiles, SwigCXXFiles                        []string
	translated                                     []string
}

const cgoFields = "-json=Dir,ImportPath,CgoFiles,CgoCFLAGS,CgoCPPFLAGS,CgoPkgConfig,SwigFiles,SwigCXXFiles"

// cgoImports is what translated files import.
var cgoImports = []string{"runtime/cgo", "syscall", "unsafe"}

// runCgo translates the packages with these paths, and reads the translated files.
func (c *checker) runCgo(order []*unit, paths []string) error {
	all, err := listSome[cgoPackage](c.config, []string{cgoFields}, paths)
	if err != nil {
		return err
	}
	env, err := c.config.Go("env", "CC", "CGO_CFLAGS", "CGO_CPPFLAGS", "GOOS", "GOARCH", "CGO_LDFLAGS")
	if err != nil {
		return err
	}
	lines := strings.Split(string(env), "\n")
	if len(lines) < 6 {
		return errors.New("go env: too few lines")
	}
	temp, err := os.MkdirTemp("", "allele-cgo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for i, p := range all {
		if err := p.translate(c.config, lines, filepath.Join(temp, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("cgo %s: %w", p.ImportPath, err)
		}
	}
	for _, u := range order {
		at := slices.IndexFunc(all, func(p *cgoPackage) bool { return p.ImportPath == u.path() && len(u.CgoFiles) > 0 })
		if at < 0 {
			continue
		}
		u.goFromC = slices.Concat(u.GoFiles, all[at].translated)
		u.implicit = cgoImports
		if _, err := c.files(&listed{GoFiles: all[at].translated}); err != nil { // keeps what it has read
			return err
		}
	}
	return nil
}

// translate runs cgo for one package, with the flags that the go command would use. The new
// files go to the folder out. env is the lines of go env.
func (p *cgoPackage) translate(c Config, env []string, out string) error {
	if len(p.SwigFiles)+len(p.SwigCXXFiles) > 0 {
		return errors.New("the package uses SWIG")
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	cflags, ok1 := splitFlags(env[1])
	cppflags, ok2 := splitFlags(env[2])
	if !ok1 || !ok2 {
		return errors.New("CGO_CFLAGS or CGO_CPPFLAGS lacks a quote")
	}
	packaged, err := p.pkgConfig()
	if err != nil {
		return err
	}
	cmd := c.Command(slices.Concat([]string{"tool", "cgo", "-objdir", out + string(filepath.Separator), "-importpath", p.ImportPath, "--"},
		cppflags, packaged, p.CgoCPPFLAGS, []string{"-I", out}, cflags, p.CgoCFLAGS, p.CgoFiles)...)
	cmd.Dir = p.Dir
	cmd.Env = append(cmd.Env, "CC="+env[0], "GOOS="+env[3], "GOARCH="+env[4], "CGO_LDFLAGS="+env[5], "PWD="+p.Dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, bytes.TrimSpace(text))
	}
	p.translated = []string{filepath.Join(out, "_cgo_gotypes.go")}
	for _, name := range p.CgoFiles {
		p.translated = append(p.translated, filepath.Join(out, strings.TrimSuffix(name, ".go")+".cgo1.go"))
	}
	return nil
}

// pkgConfig returns the flags for C libraries that the package names with #cgo pkg-config.
func (p *cgoPackage) pkgConfig() ([]string, error) {
	if len(p.CgoPkgConfig) == 0 {
		return nil, nil
	}
	tool := os.Getenv("PKG_CONFIG")
	if tool == "" {
		tool = "pkg-config"
	}
	cmd := exec.Command(tool, slices.Concat([]string{"--cflags", "--"}, p.CgoPkgConfig)...)
	cmd.Dir = p.Dir
	text, err := cmd.Output()
	return strings.Fields(string(text)), err
}
