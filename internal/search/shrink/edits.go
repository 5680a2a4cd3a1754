//go:build go1.25

package shrink

import "github.com/allele-go/allele/internal/value/term"

// edit replaces the subterm at pos by sub.
type edit struct {
	pos int
	sub term.Term
}

// rewrite returns t with the edits applied, in the memory of dst. The edits must be in
// order and must not overlap.
func rewrite(dst, t term.Term, edits []edit) term.Term {
	type opened struct{ end, out int }
	var open []opened
	dst = dst[:0]
	for i := 0; i < len(t); {
		switch {
		case len(edits) > 0 && edits[0].pos == i:
			dst = append(dst, edits[0].sub...)
			i, edits = i+int(t[i].N), edits[1:]
		case t[i].C == term.Raw:
			dst = append(dst, t.Sub(i)...)
			i += int(t[i].N)
		default:
			open = append(open, opened{i + int(t[i].N), len(dst)})
			dst = append(dst, t[i])
			i++
		}
		for n := len(open) - 1; n >= 0 && open[n].end == i; n-- {
			dst[open[n].out].N = uint32(len(dst) - open[n].out)
			open = open[:n]
		}
	}
	return dst
}
