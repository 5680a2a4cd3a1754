//go:build go1.25

package facts

import (
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// scratch loads a scratch module.
func scratch(t *testing.T, files map[string]string) (*load.Program, *Index) {
	t.Helper()
	prog, err := load.Packages(load.Config{Dir: testkit.Module(t, files), Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	return prog, NewIndex(prog)
}
