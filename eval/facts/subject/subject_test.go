package subject

import (
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

// When it starts, the packages in scope have told what is known about them.
func TestStarts(t *testing.T) {
	t.Log(len(hook.Facts), "types", len(hook.Makers), "builders", len(hook.Fields), "fields", len(hook.Shapes), "patterns")
}
