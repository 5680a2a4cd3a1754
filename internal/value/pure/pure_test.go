//go:build go1.25

package pure_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/value/pure"
)

type list struct {
	mu    sync.Mutex
	items []string
	next  *list
	seen  map[string]int
	out   chan string
}

var total int

// These methods only compute.

func (l *list) Append(s string) { l.items = append(l.items, strings.ToUpper(s)) }
func (l *list) Nested(s string) {
	l.next = &list{}
	l.next.items = []string{s}
	(*l.next).seen = map[string]int{s: len(s)}
}
func (l *list) Helped(s string)   { l.note(s); l.items[0] = fmt.Sprintf("%q", trimmed(s)) }
func (l *list) Recurse(n int)     { l.even(n) }
func (l *list) Fails(n int) error { return errors.New(string(rune(n))) }
func (l *list) Closure(n int)     { add := func(k int) { n += k }; _ = add }

func (l *list) note(s string) { l.seen[s]++ }
func (l *list) even(n int)    { l.odd(n - 1) }
func (l *list) odd(n int) {
	if n > 0 {
		l.even(n - 1)
	}
}
func trimmed(s string) string { return strings.TrimSpace(s) }

// These do more, or it is unclear.

func (l *list) Writes(s string)   { os.WriteFile(s, nil, 0o666) }
func (l *list) Exits(int)         { os.Exit(3) }
func (l *list) Locks(s string)    { l.mu.Lock(); l.items = append(l.items, s) }
func (l *list) Counts(int)        { total++ }
func (l *list) Sets(n int)        { total = n }
func (l *list) Sends(s string)    { l.out <- s }
func (l *list) Waits(string)      { <-l.out }
func (l *list) Starts(s string)   { go l.note(s) }
func (l *list) Prints(s string)   { fmt.Println(s) }
func (l *list) Calls(f func())    { f() }
func (l *list) Through(s string)  { l.Indirect(s) }
func (l *list) Indirect(s string) { writes(s) }
func writes(s string)             { os.Remove(s) }

type outer struct{ list }

func TestMethod(t *testing.T) {
	for name, want := range map[string]bool{
		"Append": true, "Nested": true, "Helped": true, "Recurse": true, "Fails": true,
		"Closure": true, "Writes": false, "Exits": false, "Locks": false, "Counts": false, "Sets": false, "Sends": false,
		"Waits": false, "Starts": false, "Prints": false, "Calls": false, "Through": false, "Indirect": false,
	} {
		m, ok := reflect.TypeFor[*list]().MethodByName(name)
		if !ok {
			t.Fatalf("no method %s", name)
		}
		if got := pure.Method(m); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	m, _ := reflect.TypeFor[*outer]().MethodByName("Append")
	if pure.Method(m) {
		t.Error("a promoted method has no source")
	}
}
