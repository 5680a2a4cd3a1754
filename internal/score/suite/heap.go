//go:build go1.25

package suite

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// collectAt is how much memory the process may use before the garbage collector runs in the
	// middle of a run. A collection empties each sync.Pool, and then a test reaches other places.
	collectAt = 128 << 20
	// liveShare is how many times the memory in use the process may have. If the collector had less room, it would
	// run all the time.
	liveShare = 2
	// heapLive is the memory that was in use at the end of the last collection.
	heapLive = "/gc/heap/live:bytes"
)

// heap decides when the garbage collector runs: between runs, and in a run only if it needs a lot of memory.
type heap struct {
	limit, most int64
	live        [1]metrics.Sample
}

// start sets the limits. memory is that of the process.
func (h *heap) start(memory int64) {
	h.live[0].Name = heapLive
	if h.most = memory / 4 * 3; memory <= 0 {
		h.most = math.MaxInt64
	}
	h.limit = min(collectAt, h.most)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(h.limit)
}

// fit adapts the limit to the memory in use. The watcher calls it from time to time.
func (h *heap) fit() {
	metrics.Read(h.live[:])
	if h.live[0].Value.Kind() != metrics.KindUint64 {
		return
	}
	limit := h.bound(int64(h.live[0].Value.Uint64()))
	if limit != h.limit {
		h.limit = limit
		debug.SetMemoryLimit(limit)
	}
}

// bound returns the limit for a process with so much memory in use.
func (h *heap) bound(live int64) int64 { return min(max(collectAt, liveShare*live), h.most) }
