//go:build go1.25

// Package zoo has one type of every shape that Go allows and allele derives.
//
// Tests of everything that works on types run over all of them:
//
//	for _, a := range zoo.All() {
//		w, err := schema.Derive(a.Type, a.Decls)
//		...
//	}
package zoo

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"time"

	"github.com/allele-go/allele/internal/value/schema"
)

// Animal is a type of the zoo, with the declarations that it needs.
type Animal struct {
	Name  string
	Type  reflect.Type
	Decls []schema.Decl
}

// All returns every type of the zoo.
func All() []Animal {
	return []Animal{
		of[int]("int"),
		of[*Tree]("recursive"),
		of[*hidden]("unexported"),
		of[*RB]("enum"),
		of[Expr]("sum"),
		of[[]int]("list"),
		of[map[string]int]("map"),
		of[Pod]("pod"),
		of[*Scalars]("scalars"),
		of[Embedded]("embedded"),
		of[Event]("opaque"),
		of[Pair[string, Pair[Color, []Expr]]]("generic"),
		of[[4]*float64]("pointers"),
		of[any]("any"),
		of[map[Color]Pair[int8, any]]("mapOfAny"),
		of[[]map[string][]byte]("bytes"),
		of[[9]Port]("longArray"),
		of[**int]("pointerPointer"),
		of[*Stmt]("mutual"),
		of[Stack]("built"),
		of[map[Point]*Point]("structKeys"),
		of[Numbers]("numbers"),
		of[struct {
			Name string
			In   *Tree
			Key  int
		}]("anonymous"),
		of[[]Level]("values"),
		made(),
		of[Library]("library"),
		of[[]json.RawMessage]("json"),
		of[*url.URL]("url"),
		of[map[string]*regexp.Regexp]("regexp"),
		matched(),
		defaults(),
		of[Standard]("standard"),
		of[Linked]("linked"),
		of[Textual]("textual"),
		of[Pages]("pages"),
	}
}

func of[T any](name string) Animal {
	return Animal{name, reflect.TypeFor[T](), Decls()}
}

// Decls returns the declarations that all animals share.
func Decls() []schema.Decl {
	return []schema.Decl{
		variants[Expr](Num{}, Bool{}, Var{}, Add{}, Mul{}, If{}, Let{}, &Neg{}, Box{}, Name("")),
		variants[any](0, "", Color(0), float32(0), &Tree{}, []int{}, Pair[int, Color]{}, map[string]int{}, false, new(Color)),
		variants[Node](&Stmt{}, Block{}),
		{
			Type: reflect.TypeFor[Level](), Tier: schema.Global,
			What: schema.Values{All: []reflect.Value{reflect.ValueOf(Level("low")), reflect.ValueOf(Level("high"))}},
		},
		{
			Type: reflect.TypeFor[Percent](), Tier: schema.Global,
			What: schema.Range{Lo: reflect.ValueOf(Percent(0)), Hi: reflect.ValueOf(Percent(100))},
		},
		builder(NewStack), builder(Stack.Push), builder(ParseStack),
	}
}

func variants[I any](vs ...I) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[I](), What: schema.VariantsOf(vs...), Tier: schema.Global}
}

func builder(f any) schema.Decl {
	m, err := schema.NewFunc(f)
	if err != nil {
		panic(err)
	}
	return schema.Decl{Type: m.Result, What: m, Tier: schema.Global}
}

// Tree is a binary search tree.
type Tree struct {
	L, R *Tree
	K    int
}

type hidden struct {
	l, r *hidden
	k    int
}

// Color is an enumeration.
type Color uint8

// The colours of a red-black tree.
const (
	Red Color = iota
	Black
)

// RB is a red-black tree.
type RB struct {
	C    Color
	L, R *RB
	K    int
}

// Expr is a sum type with variants of every kind: structs, a pointer, a struct
// of one pointer, a string.
type Expr interface{ isExpr() }

// The variants of Expr.
type (
	Num  struct{ V int }
	Bool struct{ B bool }
	Var  struct{ N uint8 }
	Add  struct{ L, R Expr }
	Mul  struct{ L, R Expr }
	If   struct{ C, T, E Expr }
	Let  struct {
		N    uint8
		E, B Expr
	}
	Neg  struct{ E Expr }
	Box  struct{ p *Num }
	Name string
)

func (Num) isExpr()  {}
func (Bool) isExpr() {}
func (Var) isExpr()  {}
func (Add) isExpr()  {}
func (Mul) isExpr()  {}
func (If) isExpr()   {}
func (Let) isExpr()  {}
func (*Neg) isExpr() {}
func (Box) isExpr()  {}
func (Name) isExpr() {}

// Pair is generic.
type Pair[A, B any] struct {
	a A
	b B
}

// Meta, Port, Env, Resources, Container, Spec and Pod are shaped like the
// types of a cluster manager.
type (
	Meta struct {
		Name, Namespace, UID, Version string
		Gen                           int64
		Labels                        map[string]string
		Deleted                       *int64
	}
	Port struct {
		Name     string
		Port     int32
		HostPort int32
		Proto    string
	}
	Env       struct{ Name, Value string }
	Resources struct{ CPU, Mem, CPUMax, MemMax int64 }
	Container struct {
		Name, Image, Dir string
		Args             []string
		Ports            []Port
		Env              []Env
		Res              Resources
		TTY, Stdin       bool
		Pull             string
		Prio             *int32
	}
	Spec struct {
		Containers               []Container
		Restart, DNS, Host, User string
		HostNet, HostPID         bool
		Grace                    *int64
		FSGroup                  *int64
		Ratio                    float64
	}
	Pod struct {
		Meta
		Kind, API string
		Spec      Spec
		Phase     string
		Ready     bool
	}
)

// Scalars has unexported fields of nearly all kinds.
type Scalars struct {
	a int8
	b int16
	c int32
	d uint16
	e uint32
	f float32
	g float64
	h bool
	i complex128
	j [3]int16
	k []byte
	l []string
	m map[Color]*Scalars
	n any
	o **int
	p uintptr
	q complex64
	s string
	t rune
	_ int
}

// Embedded embeds a pointer and an instantiated generic.
type Embedded struct {
	*hidden
	Pair[int, string]
	z [2]Pair[Color, *Color]
}

// Event has fields of types that only their own functions can build.
type Event struct {
	At   time.Time
	For  time.Duration
	Want []Expr
	from netip.Addr
	big  *big.Int
	val  big.Int
	x    map[string][]int
}

// Library has fields of types that have a text form of their own.
type Library struct {
	Net  netip.Prefix
	Peer netip.AddrPort
	rat  *big.Rat
	frac big.Rat
	Home *url.URL
	site url.URL
	Raw  json.RawMessage
	more *json.RawMessage
	Name *regexp.Regexp
}

// Node, Stmt and Block are mutually recursive.
type (
	Node interface{ node() }
	Stmt struct {
		Label string
		Body  Block
		Next  Node
	}
	Block []*Stmt
)

func (*Stmt) node() {}
func (Block) node() {}

// Stack can only be built by its functions.
type Stack struct{ items []int }

// NewStack makes an empty stack.
func NewStack() Stack { return Stack{} }

// Push returns a stack with one more item.
func (s Stack) Push(x int) Stack {
	return Stack{append(append([]int{}, s.items...), x)}
}

// ParseStack makes a stack of small numbers. It rejects negative numbers.
func ParseStack(xs ...int8) (Stack, bool) {
	var s Stack
	for _, x := range xs {
		if x < 0 {
			return Stack{}, false
		}
		s = s.Push(int(x))
	}
	return s, true
}

// Point is a key of a map.
type Point struct{ X, Y float64 }

// Percent has a declared range.
type Percent int

// Level has declared values.
type Level string

// Pages has long arrays of scalars: alone, behind a pointer, as keys, elements and a pair.
type Pages struct {
	ID    [16]byte
	Keys  map[[16]int8]bool
	Reals map[[17]float32]Color
	Prev  *Pages
	Flags [16]bool
	Wide  []*[20]int32
	More  [2][32]Color
	Big   *[300]uint16
	any
}

// Numbers has named scalar types.
type Numbers struct {
	P     Percent
	L     Level
	D     time.Duration
	Words []Name
	Deep  [2][2]Percent
}
