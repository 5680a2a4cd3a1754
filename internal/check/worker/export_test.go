//go:build go1.25

package worker

import (
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// OperandClient is operands for tests outside the package. Their test binary is also the
// process that serves, so they need a Check, which this package cannot import.
type OperandClient struct{ o operands }

const DiedMax = diedMax

func NewOperandClient(binary string, args []string, property string, w *schema.World, wait time.Duration) *OperandClient {
	return &OperandClient{operands{binary: binary, args: args, property: property, world: w, wait: wait}}
}

func (c *OperandClient) Of(t term.Term) []operand.Compared { return c.o.of(t) }
func (c *OperandClient) Summary() *event.Operands          { return c.o.summary() }
func (c *OperandClient) Close()                            { c.o.close() }
func (c *OperandClient) Alive() bool                       { return c.o.child != nil }
func (c *OperandClient) SetWait(d time.Duration)           { c.o.wait = d }
func (c *OperandClient) SetBinary(file string)             { c.o.binary = file }
func (c *OperandClient) World() *schema.World              { return c.o.world }

// Take returns the process, which the client then no longer uses.
func (c *OperandClient) Take() *proc.Process {
	p := c.o.child
	c.o.child = nil
	return p
}
