// Package meaning has types whose values are stored as cases by one program and read by
// another one: go test, allele test, and both after the source has changed.
package meaning

import (
	"errors"
	"time"
)

// Percent is a struct with a hidden field and a function that checks it.
type Percent struct{ n int }

func NewPercent(n int) (Percent, error) {
	if n < 0 || n > 100 {
		return Percent{}, errors.New("not a percentage")
	}
	return Percent{n}, nil
}

// Ref is made as a pointer.
type Ref struct{ id int }

func NewRef(id int) *Ref {
	if id < 0 {
		return nil
	}
	return &Ref{id: id}
}

// Span has a function with two arguments and no error.
type Span struct{ lo, hi int }

func NewSpan(a, b int) Span { return Span{min(a, b), max(a, b)} }

// Stack is changed by a method.
type Stack struct{ items []int }

func NewStack() *Stack { return &Stack{} }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }

// Counter has no function that makes it. A method changes its zero value.
type Counter struct{ hits int }

func (c *Counter) Hit() { c.hits++ }

// Set is generic, and made by a function with a list.
type Set[T comparable] struct{ in map[T]bool }

func NewSet[T comparable](xs ...T) *Set[T] {
	s := &Set[T]{in: map[T]bool{}}
	for _, x := range xs {
		s.in[x] = true
	}
	return s
}

// Pair has a hidden field of a type that hides its own.
type Pair struct{ a, b Percent }

func NewPair(a, b Percent) Pair { return Pair{a, b} }

// Named has exported fields only. Its function is not used.
type Named struct {
	Name string
	N    int
}

// Shape is an interface with a variant that hides its field.
type Shape interface{ Area() int }

type Square struct{ side int }

func NewSquare(side int) Square { return Square{side} }

func (s Square) Area() int { return s.side * s.side }

// Rect has exported fields.
type Rect struct{ W, H int }

func (r *Rect) Area() int { return r.W * r.H }

// Loop points to itself.
type Loop struct {
	n    int
	self *Loop
}

func NewLoop(n int) *Loop {
	l := &Loop{n: n}
	l.self = l
	return l
}

// Twin has two pointers to one variable.
type Twin struct{ a, b *int }

func NewTwin(n int) Twin { return Twin{&n, &n} }

// List ends with a variable that all lists share.
type List struct {
	n    int
	next *List
}

var end = &List{}

func NewList(n int) *List { return &List{n: n, next: end} }

func (l *List) Ends() bool { return l.next == end }

// Event has a time, which comes with a builder of its own.
type Event struct {
	at   time.Time
	name string
}

func NewEvent(at time.Time, name string) Event { return Event{at, name} }

// Calc holds a function.
type Calc struct {
	n  int
	op func(int) int
}

func NewCalc(n int) *Calc { return &Calc{n, func(x int) int { return x + n }} }

// Node is a tree with hidden fields.
type Node struct {
	l, r *Node
	k    int
}

func Leaf(k int) *Node { return &Node{k: k} }

func Join(l, r *Node) *Node { return &Node{l: l, r: r, k: 1} }

func (n *Node) Size() int {
	if n == nil {
		return 0
	}
	return 1 + n.l.Size() + n.r.Size()
}

// Celsius is a number with a function of its own, which is not needed.
type Celsius float64

// Grid has an array and a byte slice.
type Grid struct {
	cells [2]uint8
	raw   []byte
}

func NewGrid(a, b uint8, raw []byte) Grid { return Grid{[2]uint8{a, b}, append([]byte("#"), raw...)} }

// Outer embeds a type that hides a field.
type Outer struct {
	Percent
	Note string
}

// Opt has a pointer that may be nil.
type Opt struct{ p *Percent }

func NewOpt(p Percent, set bool) Opt {
	if !set {
		return Opt{}
	}
	return Opt{&p}
}

// Token is an interface whose values are made by one function.
type Token interface{ text() string }

type word struct{ s string }

func (w word) text() string { return w.s }

func Word(s string) Token { return word{s} }
