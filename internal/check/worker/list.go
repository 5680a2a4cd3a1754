//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
)

// list reports the name, the test and the input type of a property. It runs no user code.
func list(p *property.Property) {
	p.Emit(event.Listed{Test: p.TB.Name(), Type: p.World.Root.Type.String(), Encoder: p.World.Encoder() != nil})
}
