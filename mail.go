package allele

import (
	"encoding/binary"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// mail is how a search shares what it keeps with others of the same binary: a case
// goes out with the path that its run took, and those of others come in and are
// known as if they had been run here.
type mail struct {
	out, in *proc.Box
	read    int // messages that came in
	sent    int
	trouble bool
}

// pathMax is how long a path may be that is sent. Longer ones are rare, and whoever
// does not hear of one finds it himself.
const pathMax = 1 << 13

// openMail opens the boxes that the command has named.
func openMail(s job.Params) *mail {
	in, out := s.Inbox, s.Outbox
	if in == "" || out == "" {
		return nil
	}
	m := &mail{}
	var err error
	if m.in, err = proc.OpenBox(in); err != nil {
		return nil
	}
	if m.out, err = proc.OpenBox(out); err != nil {
		return nil
	}
	return m
}

// send tells others of a case, if there are any.
func (m *mail) send(others bool, h uint64, x term.Term, v engine.Verdict, run trace.Run) {
	if m == nil || !others || m.trouble || len(run.Symbols) > pathMax {
		return
	}
	ok, err := m.out.Put(appendShared(nil, h, x, v, run))
	if m.trouble = err != nil; ok {
		m.sent++
	}
}

// counts is how many cases went out and came in.
func (m *mail) counts() (sent, read int) {
	if m == nil {
		return 0, 0
	}
	return m.sent, m.read
}

// receive takes what others have sent.
func (c *check) receive(m *mail, mails int) {
	for _, message := range m.in.Next() {
		m.read++
		h, x, v, run, ok := c.parseShared(message)
		if !ok {
			continue
		}
		c.memory.known(h)
		c.engine.Share(x, v, run)
	}
	m.read = max(m.read, mails) // what could not be read is not waited for
}

// A message is the hash of a trace, a verdict, whether it is a set, the number of
// symbols, the symbols, and the term as it lies in memory.
func appendShared(b []byte, h uint64, x term.Term, v engine.Verdict, run trace.Run) []byte {
	b = binary.LittleEndian.AppendUint64(b, h)
	set := byte(0)
	if run.Set {
		set = 1
	}
	b = append(b, byte(v), set)
	b = binary.AppendUvarint(b, uint64(len(run.Symbols)))
	for _, s := range run.Symbols {
		b = binary.LittleEndian.AppendUint32(b, s)
	}
	return append(b, x.Memory()...)
}

func (c *check) parseShared(b []byte) (h uint64, x term.Term, v engine.Verdict, run trace.Run, ok bool) {
	if len(b) < 10 {
		return
	}
	h, v, run.Set = binary.LittleEndian.Uint64(b), engine.Verdict(b[8]), b[9] != 0
	n, size := binary.Uvarint(b[10:])
	rest := b[10+max(0, size):]
	if size <= 0 || n > pathMax || uint64(len(rest)) < 4*n || v > engine.Discarded {
		return
	}
	for i := range n {
		run.Symbols = append(run.Symbols, binary.LittleEndian.Uint32(rest[4*i:]))
	}
	x, err := operand.ParseTerm(c.world, rest[4*n:])
	return h, x, v, run, err == nil
}
