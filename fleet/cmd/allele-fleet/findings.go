package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/report"
)

// findings lists the failures.
func findings(k *call) error {
	var p place
	p.register(k)
	out := k.String("o", "", "write each failure, with its case, to a folder of its own in this `folder`")
	module := k.String("module", "", "write each case to its package in the module of this `folder`, where go test runs it")
	c, err := p.join(k, access.Readers(jet.Camp, jet.Fail)...)
	if err != nil {
		return err
	}
	defer c.close()
	k, cancel := k.within(readMax)
	defer cancel()
	if _, err := c.readOrder(k); err != nil {
		return err
	}
	all, err := c.failures(k)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *report.Failure) int {
		return strings.Compare(a.Package+" "+a.Property, b.Package+" "+b.Property)
	})
	for _, f := range all {
		showFinding(k, f)
	}
	if len(all) == 0 {
		fmt.Fprintln(k.stdout, "no failures so far")
		return nil
	}
	if *out != "" {
		for _, f := range all {
			if err := writeFinding(*out, f); err != nil {
				return err
			}
		}
		fmt.Fprintf(k.stdout, "%s in %s: each has a folder with its report, and with its case in testdata\n",
			count(len(all), "failure"), *out)
	}
	if *module != "" {
		if err := writeCases(k, *module, all); err != nil {
			return err
		}
	}
	if *out == "" && *module == "" {
		fmt.Fprintf(k.stdout, "%s; to get the inputs as cases that go test runs, run in the folder of the module: "+
			"allele-fleet findings %s -module .\n", count(len(all), "failure"), p.flags())
	}
	return errFailed
}

func showFinding(k *call, f *report.Failure) {
	fmt.Fprintf(k.stdout, "%s %s: %s\n    found by %s on %s, bundle %s\n\n%s\n\n", plain(f.Package), plain(f.Property), plain(f.Sign),
		plain(f.Host), f.Time.Format(time.DateTime), head(f.Bundle), indent(plainLines(strings.TrimSpace(f.Text)), "    "))
}

// writeFinding writes a failure to a folder of its own.
func writeFinding(out string, f *report.Failure) error {
	key := f.Key()
	dir := filepath.Join(out, hex.EncodeToString(key[:6]))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	head := fmt.Sprintf("package %s\nproperty %s\nfailure %s\nfound by %s on %s\nbundle %s\n\n", plain(f.Package), plain(f.Property),
		plain(f.Sign), plain(f.Host), f.Time.Format(time.RFC3339), plain(f.Bundle))
	if err := os.WriteFile(filepath.Join(dir, "report.txt"), []byte(head+plainLines(f.Text)+"\n"), 0o666); err != nil {
		return err
	}
	if f.File == "" {
		return nil
	}
	file := filepath.Join(dir, filepath.FromSlash(f.File)) // DecodeFailure has checked it
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, f.Case, 0o666)
}

// writeCases writes the cases of failures to their packages in a module. It overwrites nothing: what a worker has
// reported must not replace what the user has.
func writeCases(k *call, module string, all []*report.Failure) error {
	wrote, there := 0, 0
	dirs := map[string]string{}
	for _, f := range all {
		what := plain(f.Package) + " " + plain(f.Property)
		if f.File == "" {
			fmt.Fprintf(k.stdout, "%s: it has no case\n", what)
			continue
		}
		dir, ok := dirs[f.Package]
		if !ok {
			var err error
			if dir, err = packageDir(k, module, f.Package); err != nil {
				fmt.Fprintf(k.stdout, "%s: its case is not written: %s\n", what, plain(err.Error()))
			}
			dirs[f.Package] = dir
		}
		if dir == "" {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(f.File)) // DecodeFailure has checked it
		switch err := writeNew(file, f.Case); {
		case err == nil:
			wrote++
			fmt.Fprintf(k.stdout, "wrote %s\n", file)
		case errors.Is(err, errSame):
			there++
		case errors.Is(err, fs.ErrExist):
			fmt.Fprintf(k.stdout, "%s: its case is not written: there is another one in %s; to look at it, add: -o FOLDER\n", what, file)
		default:
			return err
		}
	}
	fmt.Fprintf(k.stdout, "wrote %s, %s there already; to run them: go test ./...\n", count(wrote, "case"), wasWere(there))
	return nil
}

func wasWere(n int) string {
	if n == 1 {
		return "1 was"
	}
	return comma(n) + " were"
}

// errSame means that a file exists and has the same content.
var errSame = errors.New("the file is there")

// writeNew writes a file that must not exist.
func writeNew(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	w, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if old, readErr := os.ReadFile(file); readErr == nil && bytes.Equal(old, content) {
			return errSame
		}
	}
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

var importPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.~/-]*$`)

// packageDir returns the folder of a package of a module. The path of the package is a text of a worker, so
// only packages of the module itself count, and nothing is downloaded.
func packageDir(k *call, module, pkg string) (string, error) {
	if !importPath.MatchString(pkg) {
		return "", fmt.Errorf("%q is no import path", pkg)
	}
	cmd := exec.CommandContext(k, "go", "list", "-find", "-json=Dir,Module", pkg)
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOTOOLCHAIN=local")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list in %s: %w: %s", module, err, short(strings.TrimSpace(problem.String()), 200))
	}
	var p struct {
		Dir    string
		Module *struct{ Main bool }
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return "", err
	}
	if p.Module == nil || !p.Module.Main {
		return "", fmt.Errorf("the module of %s does not have the package", module)
	}
	return p.Dir, nil
}
