package allele

import (
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// receive takes what other workers have sent: it is known as if it had been run here.
func (c *check) receive(delivered int) {
	for _, k := range c.memory.mail.Receive(delivered) {
		x, v, run, ok := received(c.world, k)
		if !ok {
			continue
		}
		c.memory.known(k.Trace)
		c.engine.Share(x, v, run)
	}
}

// shared is a kept case as others get it.
func shared(h uint64, x term.Term, v engine.Verdict, run trace.Run) exchange.Case {
	return exchange.Case{Trace: h, Verdict: byte(v), Set: run.Set, Path: run.Symbols, Term: operand.AppendTerm(nil, x)}
}

// received makes of a case what shared was given.
func received(w *schema.World, k exchange.Case) (x term.Term, v engine.Verdict, run trace.Run, ok bool) {
	x, err := operand.ParseTerm(w, k.Term)
	v = engine.Verdict(k.Verdict)
	return x, v, trace.Run{Symbols: k.Path, Set: k.Set}, err == nil && v <= engine.Discarded
}
