package never

import (
	"testing"

	"github.com/allele-go/allele"
)

type door struct{ open bool }

func (d *door) CanOpen() bool  { return !d.open }
func (d *door) Open()          { d.open = false } // a mistake in the machine
func (d *door) CanClose() bool { return d.open }
func (d *door) Close()         { d.open = false }

func TestDoor(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Steps allele.Steps[*door]
		Locks uint8
	}) {
		in.Steps(t, &door{})
	})
}
