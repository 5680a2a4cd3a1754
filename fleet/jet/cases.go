package jet

import (
	"context"
	"fmt"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Cases calls fn for all stored cases whose sequence is larger than after, once through, and returns
// the last sequence. Unlike Follow it does not wait for more, and it needs no subscription.
func (t *Transport) Cases(ctx context.Context, after uint64, fn func(transport.Accepted) error) (last uint64, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	last = after
	err = t.scan(ctx, Corpus, everything, after+1, func(m message) error {
		c, err := t.caseOf(ctx, m)
		switch {
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			t.damaged(fmt.Errorf("jet: case %d: %w", m.seq, err))
		default:
			if err := fn(transport.Accepted{Case: c, Seq: m.seq}); err != nil {
				return err
			}
		}
		last = m.seq
		return nil
	})
	return last, err
}
