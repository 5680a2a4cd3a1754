//go:build go1.25 && race

package allele

import "sync/atomic"

// runMark is atomic here, which tells the race detector that all that happened before a run began
// may be read once the run is abandoned.
type runMark struct{ n atomic.Uint64 }

func (m *runMark) step()        { m.n.Add(1) }
func (m *runMark) read() uint64 { return m.n.Load() }
