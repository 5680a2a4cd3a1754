//go:build go1.25

package plain

import (
	"testing"
)

// The root of a test is found, also from a subtest: without it, plain go test would lose
// inputs that end the process.
func TestRoot(t *testing.T) {
	root, ok := rootOf(t)
	if !ok {
		t.Fatal("package testing has changed: there is no root")
	}
	t.Run("sub", func(t *testing.T) {
		if r, ok := rootOf(t); !ok || r != root {
			t.Error("a subtest has another root")
		}
	})
	if r, ok := rootOf(struct{ testing.TB }{t}); ok {
		t.Errorf("a test that is wrapped has the root %v", r)
	}
}
