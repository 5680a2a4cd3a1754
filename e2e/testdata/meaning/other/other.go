// Package other has types that the tests of another package use.
package other

// Level is from 1 to 9.
type Level struct{ n int }

func NewLevel(n int) (Level, bool) { return Level{n}, n >= 1 && n <= 9 }

func (l Level) N() int { return l.n }

// Box has exported fields only.
type Box struct{ W, H int }

// Bag counts what it holds.
type Bag[T comparable] struct {
	all   []T
	total int
}

func NewBag[T comparable](all ...T) *Bag[T] { return &Bag[T]{all: all, total: len(all)} }

func (b *Bag[T]) Len() int { return b.total }
