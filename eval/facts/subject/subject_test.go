package subject

import (
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

// When the test starts, the initialisers of the packages in scope have registered
// their facts.
func TestStarts(t *testing.T) {
	t.Log(len(hook.Facts), "types", len(hook.Makers), "builders", len(hook.Fields), "fields", len(hook.Shapes), "patterns")
}
