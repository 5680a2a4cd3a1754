// Package stored has inputs of many types. Their cases and saved inputs were written by an earlier
// version of the library; see stored_test.go in package e2e.
package stored

import (
	"context"
	"database/sql"
	"encoding/json"
	"math/big"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"time"
)

type (
	ID    [16]byte
	Hash  [32]byte
	Block struct {
		Parent, Root Hash
		Height       uint32
		Txs          []ID
	}
	Grid struct {
		Cells [3][2]int
		Long  [40]int16
		Names [2]string
	}
	Users struct {
		ByID map[ID]string
		Seen map[[4]byte]bool
	}
	Loose struct {
		Any  any
		Err  error
		Meta map[string]any
		List []any
		N    int
	}
	Hooks struct {
		Ctx  context.Context
		Name string
	}
	Form struct {
		Name  string   `validate:"required,min=3,max=20"`
		Email string   `validate:"required,email"`
		Age   int      `validate:"gte=18,lte=130"`
		Role  string   `binding:"oneof=admin user"`
		Tags  []string `validate:"min=1,dive,required"`
	}
	Numbers struct {
		Big *big.Int
		Rat *big.Rat
		Int big.Int
	}
	Times struct {
		At    time.Time
		After time.Duration
		Month time.Month
		Site  http.SameSite
	}
	Net struct {
		Addr    netip.Addr
		Prefix  netip.Prefix
		Port    netip.AddrPort
		IP      net.IP
		Network net.IPNet
	}
	Web struct {
		URL    *url.URL
		Values url.Values
		Header http.Header
		Mail   mail.Address
		Number json.Number
		Raw    json.RawMessage
	}
	Row struct {
		Name sql.NullString
		Age  sql.NullInt64
		At   sql.NullTime
	}
	Texts struct {
		Bytes   []byte
		Text    string
		Version string
		Code    string
	}
	Floats struct {
		F float64
		G float32
		C complex128
	}
	Pointers struct {
		A **int
		B *Pointers
		C *[]string
	}
	Pair[A, B any] struct {
		First  A
		Second B
	}
	Base struct{ ID int }
	Sub  struct {
		Base
		*Pair[string, bool]
		Level Level
	}
	Level  uint8
	Method string
)

// Tree is recursive.
type Tree struct {
	L, R *Tree
	K    int
}

// Shape is an interface with declared variants.
type Shape interface{ Area() int }

type Square struct{ Side int }
type Rect struct{ W, H int }
type Group struct{ Of []Shape }

func (s Square) Area() int { return s.Side * s.Side }
func (r *Rect) Area() int  { return r.W * r.H }
func (g Group) Area() (n int) {
	for _, s := range g.Of {
		n += s.Area()
	}
	return n
}

// Span has a builder.
type Span struct{ lo, hi int }

func NewSpan(a, b int) Span   { return Span{min(a, b), max(a, b)} }
func (s *Span) Grow(by uint8) { s.hi += int(by) }
