// Package orderedmap is a map that keeps its keys in order, as a balanced tree.
//
//	var m orderedmap.Map[string, int]
//	m.Set("b", 2)
//	m.Set("a", 1)
//	for k, v := range m.All() { ... } // a 1, then b 2
//
// It is an example of testing with allele: orderedmap_test.go says what an
// ordered map is, and `go test -tags planted` shows what happens when a bug
// breaks it.
package orderedmap

import (
	"cmp"
	"iter"
)

// Map is an ordered map. The zero Map is empty and ready to use.
type Map[K cmp.Ordered, V any] struct {
	root *node[K, V]
	size int
}

type node[K cmp.Ordered, V any] struct {
	key         K
	value       V
	left, right *node[K, V]
	height      int
}

// Len is the number of keys.
func (m *Map[K, V]) Len() int { return m.size }

// Get gives the value of a key.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	for n := m.root; n != nil; {
		switch c := cmp.Compare(key, n.key); {
		case c < 0:
			n = n.left
		case c > 0:
			n = n.right
		default:
			return n.value, true
		}
	}
	return value, false
}

// Set gives a key a value, new or not.
func (m *Map[K, V]) Set(key K, value V) { m.root = m.set(m.root, key, value) }

func (m *Map[K, V]) set(n *node[K, V], key K, value V) *node[K, V] {
	if n == nil {
		m.size++
		return &node[K, V]{key: key, value: value, height: 1}
	}
	switch c := cmp.Compare(key, n.key); {
	case c < 0:
		n.left = m.set(n.left, key, value)
	case c > 0:
		n.right = m.set(n.right, key, value)
	default:
		n.value = value
	}
	return balance(n)
}

// Delete removes a key, if it is there.
func (m *Map[K, V]) Delete(key K) { m.root = m.delete(m.root, key) }

func (m *Map[K, V]) delete(n *node[K, V], key K) *node[K, V] {
	if n == nil {
		return nil
	}
	switch c := cmp.Compare(key, n.key); {
	case c < 0:
		n.left = m.delete(n.left, key)
	case c > 0:
		n.right = m.delete(n.right, key)
	default:
		m.size--
		return join(n)
	}
	return balance(n)
}

// join makes one tree of the two below n. With both there, the least node on
// the right takes the place of n.
func join[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	switch {
	case n.left == nil:
		return n.right
	case n.right == nil:
		return n.left
	}
	next := n.right
	for next.left != nil {
		next = next.left
	}
	n.key = next.key
	if !planted { // the bug: the key moves up, its value does not
		n.value = next.value
	}
	n.right = dropLeast(n.right)
	return balance(n)
}

func dropLeast[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	if n.left == nil {
		return n.right
	}
	n.left = dropLeast(n.left)
	return balance(n)
}

// All gives keys and values in the order of the keys.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.root.all(yield) }
}

func (n *node[K, V]) all(yield func(K, V) bool) bool {
	return n == nil || n.left.all(yield) && yield(n.key, n.value) && n.right.all(yield)
}

// balance mends a node whose sides differ in height by two.
func balance[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	switch d := n.left.h() - n.right.h(); {
	case d > 1:
		if n.left.left.h() < n.left.right.h() {
			n.left = rotateLeft(n.left)
		}
		return rotateRight(n)
	case d < -1:
		if n.right.right.h() < n.right.left.h() {
			n.right = rotateRight(n.right)
		}
		return rotateLeft(n)
	}
	n.grow()
	return n
}

func (n *node[K, V]) h() int {
	if n == nil {
		return 0
	}
	return n.height
}

func (n *node[K, V]) grow() { n.height = 1 + max(n.left.h(), n.right.h()) }

func rotateLeft[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	r := n.right
	n.right, r.left = r.left, n
	n.grow()
	r.grow()
	return r
}

func rotateRight[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	l := n.left
	n.left, l.right = l.right, n
	n.grow()
	l.grow()
	return l
}
