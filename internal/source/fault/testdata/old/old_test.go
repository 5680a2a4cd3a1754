package old

import (
	"fmt"
	"testing"
)

func TestRun(t *testing.T) {
	first := Run()
	fmt.Print(first)
	if Run() != first {
		t.Error("a second run differs")
	}
	t.Run("sub", func(t *testing.T) { helper(t, t) })
}

func helper(t *testing.T, other *testing.T) { t.Helper() }
