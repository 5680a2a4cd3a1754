//go:build go1.25

// Package queue implements a priority queue for the work of a search.
//
//	q.Push(item, priority)        // a lower priority comes sooner
//	item := q.Top()               // stays in the queue until Drop
//
// Among items of equal priority the newest comes first, so that a search follows
// what it has just found as deep as it goes before it returns to older items.
// A queue can have a limit: when it is full, one of the worst items is dropped.
package queue

import "iter"

// Queue is a priority queue. The zero value is empty and has no limit.
type Queue[T any] struct {
	Max int // maximum number of items; 0 means no limit

	heap   []entry[T]
	pushed uint64
}

type entry[T any] struct {
	priority int
	age      uint64
	item     T
}

// Len returns how many items are in the queue.
func (q *Queue[T]) Len() int { return len(q.heap) }

// Push adds an item. It reports whether another item was dropped because the queue
// was full.
func (q *Queue[T]) Push(item T, priority int) (gaveUp bool) {
	if q.Max > 0 && len(q.heap) >= q.Max {
		q.dropBad()
		gaveUp = true
	}
	q.pushed++
	q.heap = append(q.heap, entry[T]{priority, q.pushed, item})
	q.up(len(q.heap) - 1)
	return gaveUp
}

// All iterates over the items in no particular order.
func (q *Queue[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range q.heap {
			if !yield(e.item) {
				return
			}
		}
	}
}

// Top returns the first item. The queue must not be empty.
func (q *Queue[T]) Top() T { return q.heap[0].item }

// Drop removes the first item.
func (q *Queue[T]) Drop() { q.remove(0) }

// Clear removes all items.
func (q *Queue[T]) Clear() {
	clear(q.heap)
	q.heap = q.heap[:0]
}

// looked is how many items at the end of the heap are compared to find one to drop.
// They are all leaves of the heap, so the best items are not among them.
const looked = 32

// dropBad removes one of the worst items.
func (q *Queue[T]) dropBad() {
	worst := len(q.heap) - 1
	for i := max(len(q.heap)/2, len(q.heap)-looked); i < len(q.heap); i++ {
		if q.less(worst, i) {
			worst = i
		}
	}
	q.remove(worst)
}

func (q *Queue[T]) less(i, j int) bool {
	a, b := &q.heap[i], &q.heap[j]
	if a.priority != b.priority {
		return a.priority < b.priority
	}
	return a.age > b.age
}

func (q *Queue[T]) remove(i int) {
	last := len(q.heap) - 1
	q.heap[i] = q.heap[last]
	q.heap[last] = entry[T]{}
	q.heap = q.heap[:last]
	if i < last {
		q.up(i)
		q.down(i)
	}
}

func (q *Queue[T]) up(i int) {
	for i > 0 && q.less(i, (i-1)/2) {
		q.heap[i], q.heap[(i-1)/2] = q.heap[(i-1)/2], q.heap[i]
		i = (i - 1) / 2
	}
}

func (q *Queue[T]) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q.heap); child++ {
			if q.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		q.heap[i], q.heap[least] = q.heap[least], q.heap[i]
		i = least
	}
}
