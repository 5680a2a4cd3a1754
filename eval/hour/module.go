package hour

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/allele-go/allele/eval/scratch"
)

//go:embed testdata
var thirdParty embed.FS

// Two widely used modules, at fixed versions.
const (
	scope = "github.com/google/btree,github.com/expr-lang/expr/..."
	gomod = `
require (
	github.com/expr-lang/expr v1.17.7
	github.com/google/btree v1.1.3
)
`
	gosum = `github.com/expr-lang/expr v1.17.7 h1:Q0xY/e/2aCIp8g9s/LGvMDCC5PxYlvHgDZRQ4y16JX8=
github.com/expr-lang/expr v1.17.7/go.mod h1:8/vRC7+7HBzESEqt5kKpYXxrxkr31SaO8r40VO/1IT4=
github.com/google/btree v1.1.3 h1:CVpQJjYgC4VbzxeGVHfvZrv1ctoYCAI8vbl07Fcxlyg=
github.com/google/btree v1.1.3/go.mod h1:qOPhT0dTNdNzV6Z/lhRX0YXUafgPLFUh+gZMl761Gm4=
`
)

// module makes a module with the examples and with properties of the two modules.
func module() (*scratch.Module, error) {
	files := map[string]string{"go.mod": gomod, "go.sum": gosum}
	if err := add(files, os.DirFS("../examples")); err != nil {
		return nil, fmt.Errorf("%w; run it in the folder eval", err)
	}
	tests, err := fs.Sub(thirdParty, "testdata")
	if err != nil {
		return nil, err
	}
	if err := add(files, tests); err != nil {
		return nil, err
	}
	return scratch.New(files)
}

// add adds all packages of a folder, without the planted bugs of the examples.
func add(files map[string]string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && d.Name() == "testdata" { // it contains the stored cases of planted bugs
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || path.Base(name) == "planted.go" {
			return nil
		}
		text, err := fs.ReadFile(from, name)
		files[name] = string(text)
		return err
	})
}
