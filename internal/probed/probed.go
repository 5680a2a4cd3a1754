//go:build go1.25

// Package probed is linked into programs that allele build has built. It makes them count
// their hits where package program finds the counts.
package probed

import (
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/hook"
)

// Share makes the program count its hits in shared memory, and adds the hits so far. The
// value of hook.CountsVariable consists of the number of the memory and the number of counts
// in use. If the memory cannot be used, the program goes on without it.
func Share(value string) {
	number, size, _ := strings.Cut(value, ",")
	id, err1 := strconv.Atoi(number)
	n, err2 := strconv.Atoi(size)
	if err1 != nil || err2 != nil || n < 0 || n > hook.CountsMax {
		return
	}
	shared := attach(id)
	if shared == nil {
		return
	}
	for i, hits := range hook.Counts[:n] {
		shared[i] += min(hits, 255-shared[i]) // a process of this program may have counted here before
	}
	hook.Counts = shared
}
