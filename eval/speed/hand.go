package speed

import (
	"maps"
	"slices"

	"github.com/allele-go/allele/eval/workload"
	"github.com/allele-go/allele/internal/value/term"
)

// The code a person would write to make the same values from the same data: a
// decoder for trees and expressions, a deep copy for the Pod.

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

func handExpr(t term.Term, at *int) workload.Expr {
	c := t[*at].C
	*at++
	switch c {
	case 1:
		return workload.Num{N: int(scalar(t, at))}
	case 2:
		return workload.Bool{B: scalar(t, at) != 0}
	case 3:
		l := handExpr(t, at)
		return workload.Add{L: l, R: handExpr(t, at)}
	case 4:
		l := handExpr(t, at)
		return workload.Mul{L: l, R: handExpr(t, at)}
	case 5:
		c := handExpr(t, at)
		then := handExpr(t, at)
		return workload.If{C: c, T: then, E: handExpr(t, at)}
	case 6:
		x := workload.Name(scalar(t, at))
		e := handExpr(t, at)
		return workload.Let{X: x, E: e, B: handExpr(t, at)}
	case 7:
		return workload.Var{X: workload.Name(scalar(t, at))}
	}
	return nil
}

func scalar(t term.Term, at *int) uint64 {
	*at++
	return t[*at-1].X
}

func clonePod(p *workload.Pod) workload.Pod {
	q := *p
	q.Labels = maps.Clone(p.Labels)
	q.Deleted, q.Spec.Grace, q.Spec.FSGroup = clone(p.Deleted), clone(p.Spec.Grace), clone(p.Spec.FSGroup)
	q.Spec.Containers = slices.Clone(p.Spec.Containers)
	for i := range q.Spec.Containers {
		c := &q.Spec.Containers[i]
		c.Args, c.Ports, c.Env, c.Prio = slices.Clone(c.Args), slices.Clone(c.Ports), slices.Clone(c.Env), clone(c.Prio)
	}
	return q
}

func clone[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
