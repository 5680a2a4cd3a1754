package speed

import (
	"math"

	"github.com/allele-go/allele/eval/workload"
	"github.com/allele-go/allele/eval/workload/peers"
	"github.com/allele-go/allele/internal/value/term"
)

// This file has the code that a person would write to make the same values from the same
// data.

func handTree(t term.Term, at *int) *workload.Tree {
	c := t[*at].C
	*at++
	if c == 0 {
		return nil
	}
	n := &workload.Tree{}
	n.L = handTree(t, at)
	n.R = handTree(t, at)
	n.K = int(t[*at].X)
	*at++
	return n
}

func handExpr(t term.Term, at *int) peers.Expr {
	c := t[*at].C
	*at++
	switch c {
	case 1:
		return peers.Num{N: int(scalar(t, at))}
	case 2:
		return peers.Bool{B: scalar(t, at) != 0}
	case 3:
		l := handExpr(t, at)
		return peers.Add{L: l, R: handExpr(t, at)}
	case 4:
		l := handExpr(t, at)
		return peers.Mul{L: l, R: handExpr(t, at)}
	case 5:
		c := handExpr(t, at)
		then := handExpr(t, at)
		return peers.If{C: c, T: then, E: handExpr(t, at)}
	case 6:
		x := peers.Name(scalar(t, at))
		e := handExpr(t, at)
		return peers.Let{X: x, E: e, B: handExpr(t, at)}
	case 7:
		return peers.Var{X: peers.Name(scalar(t, at))}
	}
	return nil
}

func scalar(t term.Term, at *int) uint64 {
	*at++
	return t[*at-1].X
}

// reader reads the data of a Pod, field by field.
type reader struct {
	t  term.Term
	at int
}

func (r *reader) node() *term.Node {
	r.at++
	return &r.t[r.at-1]
}

func (r *reader) string() string {
	at := r.at
	r.at += int(r.t[at].N)
	return string(r.t.Bytes(at))
}

func (r *reader) bool() bool     { return r.node().X != 0 }
func (r *reader) int64() int64   { return int64(r.node().X) }
func (r *reader) int32() int32   { return int32(r.node().X) }
func (r *reader) float() float64 { return math.Float64frombits(r.node().X) }

func (r *reader) optional64() *int64 {
	if r.node().C == 0 {
		return nil
	}
	v := r.int64()
	return &v
}

// list reads a slice, element by element.
func list[V any](r *reader, one func(*reader) V) []V {
	n := r.node()
	if n.C == 0 {
		return nil
	}
	out := make([]V, n.X)
	for i := range out {
		out[i] = one(r)
	}
	return out
}

func handPod(r *reader) (p workload.Pod) {
	r.node()
	p.Meta = handMeta(r)
	p.Kind, p.API = r.string(), r.string()
	p.Spec = handSpec(r)
	p.Phase, p.Ready = r.string(), r.bool()
	return p
}

func handMeta(r *reader) (m workload.Meta) {
	r.node()
	m.Name, m.Namespace, m.UID, m.Version = r.string(), r.string(), r.string(), r.string()
	m.Gen = r.int64()
	if n := r.node(); n.C != 0 {
		m.Labels = make(map[string]string, n.X)
		for range n.X {
			k := r.string()
			m.Labels[k] = r.string()
		}
	}
	m.Deleted = r.optional64()
	return m
}

func handSpec(r *reader) (s workload.Spec) {
	r.node()
	s.Containers = list(r, handContainer)
	s.Restart, s.DNS, s.Host, s.User = r.string(), r.string(), r.string(), r.string()
	s.HostNet, s.HostPID = r.bool(), r.bool()
	s.Grace, s.FSGroup = r.optional64(), r.optional64()
	s.Ratio = r.float()
	return s
}

func handContainer(r *reader) (c workload.Container) {
	r.node()
	c.Name, c.Image, c.Dir = r.string(), r.string(), r.string()
	c.Args = list(r, (*reader).string)
	c.Ports = list(r, func(r *reader) workload.Port {
		r.node()
		return workload.Port{Name: r.string(), Proto: r.string(), Port: r.int32(), HostPort: r.int32()}
	})
	c.Env = list(r, func(r *reader) workload.Env {
		r.node()
		return workload.Env{Name: r.string(), Value: r.string()}
	})
	c.CPU, c.Mem = r.int64(), r.int64()
	c.TTY, c.Stdin = r.bool(), r.bool()
	if r.node().C != 0 {
		v := r.int32()
		c.Prio = &v
	}
	return c
}
