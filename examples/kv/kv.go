//go:build go1.25

// Package kv implements a key-value store with transactions.
//
//	s := kv.New()
//	t := s.Begin()
//	t.Set("a", "1")
//	t.Commit()
//
// A transaction sees the store as it was when the transaction began, and its own changes.
// Others see these changes when it is committed.
//
// The package is an example of testing with allele. kv_test.go has a machine whose methods are
// the operations of the store, and `go test -tags planted` shows the failure that a bug causes.
package kv

import "maps"

// Store contains texts by their keys. Use New to make one.
type Store struct{ now map[string]string }

// New returns an empty store.
func New() *Store { return &Store{map[string]string{}} }

// Len returns the number of keys.
func (s *Store) Len() int { return len(s.now) }

// Begin returns a new transaction.
func (s *Store) Begin() *Txn {
	return &Txn{store: s, seen: s.now, set: map[string]string{}, deleted: map[string]bool{}}
}

// Txn is a transaction.
type Txn struct {
	store   *Store
	seen    map[string]string // the store when the transaction began
	set     map[string]string
	deleted map[string]bool
}

// Get returns the text of a key, and whether there is one.
func (t *Txn) Get(key string) (text string, ok bool) {
	if text, ok = t.set[key]; ok || t.deleted[key] {
		return text, ok
	}
	text, ok = t.seen[key]
	return text, ok
}

// Set sets the text of a key.
func (t *Txn) Set(key, text string) { t.set[key] = text }

// Delete removes a key.
func (t *Txn) Delete(key string) {
	delete(t.set, key)
	t.deleted[key] = true
}

// Commit makes the changes visible to later transactions. It keeps the changes that other
// transactions have made to other keys.
func (t *Txn) Commit() {
	next := maps.Clone(t.store.now)
	if planted { // open transactions share this map
		next = t.store.now
	}
	for key := range t.deleted {
		delete(next, key)
	}
	maps.Copy(next, t.set)
	t.store.now = next
}
