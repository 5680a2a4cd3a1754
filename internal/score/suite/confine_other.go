//go:build go1.25 && !linux

package suite

import "runtime/debug"

// confine limits the memory of this process as well as the runtime can.
func confine(bytes int64) {
	if bytes > 0 {
		debug.SetMemoryLimit(bytes / 4 * 3)
	}
}
