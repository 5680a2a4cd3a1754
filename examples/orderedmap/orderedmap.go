//go:build go1.25

// Package orderedmap implements a map that iterates in key order. It is a
// balanced binary tree (AVL).
//
//	var m orderedmap.Map[string, int]
//	m.Set("b", 2)
//	m.Set("a", 1)
//	for k, v := range m.All() { ... } // a 1, then b 2
//
// The package is an example of testing with allele. orderedmap_test.go states
// what an ordered map must do, and `go test -tags planted` shows the failure
// that a bug causes.
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

// Len returns the number of keys.
func (m *Map[K, V]) Len() int { return m.size }

// Get returns the value of a key, and whether the map contains the key.
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

// Set sets the value of a key. It adds the key if the map does not contain it.
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

// Delete removes a key if the map contains it.
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

// join removes n and returns its two subtrees as one tree. If both exist, the
// smallest node of the right subtree takes the place of n.
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
	if !planted { // the planted bug: without this, the key moves up, but its value does not
		n.value = next.value
	}
	n.right = dropMin(n.right)
	return balance(n)
}

// dropMin removes the smallest node of a tree.
func dropMin[K cmp.Ordered, V any](n *node[K, V]) *node[K, V] {
	if n.left == nil {
		return n.right
	}
	n.left = dropMin(n.left)
	return balance(n)
}

// All returns an iterator over keys and values, in key order.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.root.all(yield) }
}

func (n *node[K, V]) all(yield func(K, V) bool) bool {
	return n == nil || n.left.all(yield) && yield(n.key, n.value) && n.right.all(yield)
}

// balance restores the balance of a node whose subtrees differ in height by two.
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
