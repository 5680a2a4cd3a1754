package green

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele"
)

// Checks that cannot be run at all.
func TestMistakes(t *testing.T) {
	t.Run("negative tests", func(t *testing.T) { check[int](t, allele.Tests(-1)) })
	t.Run("negative size", func(t *testing.T) { check[int](t, allele.Size(-1)) })
	t.Run("negative time", func(t *testing.T) { check[int](t, allele.For(-1)) })
	t.Run("interface without variants", func(t *testing.T) { check[fmt.Stringer](t) })
	t.Run("given for another type", func(t *testing.T) { check[int](t, allele.Given(never[string])) })
	t.Run("no property", func(t *testing.T) { allele.Check[int](t, nil) })
}
