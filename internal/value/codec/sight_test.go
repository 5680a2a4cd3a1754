//go:build go1.25

package codec_test

import (
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

type sightOp interface {
	op(n, m int, more ...byte) (*term.Term, error)
	Name() string
}

type sightBase struct{}

func (sightBase) op(int, int, ...uint8) (*term.Term, error) { return nil, nil }
func (*sightBase) Name() string                             { return "" }

type (
	sightPlain      struct{}
	sightPointer    struct{ N int }
	sightEmbeds     struct{ sightBase }
	sightThrough    struct{ *sightBase }
	sightList       []sightPlain
	sightMap        map[string]int
	sightText       string
	sightNumber     sightWeek
	sightWeek       uint8
	sightSecond     time.Duration
	sightFunc       func()
	sightGen[T any] struct{}
	sightAlias      = sightPlain
	sightWrong      struct{}
	sightFew        struct{}
	sightBorrows    struct{ sightOp }
)

func (sightPlain) op(a, b int, c ...byte) (*term.Term, error) { return nil, nil }
func (sightPlain) Name() string                               { return "" }
func (sightPointer) op(int, int, ...byte) (*term.Term, error) { return nil, nil }
func (*sightPointer) Name() string                            { return "" }
func (sightList) op(int, int, ...byte) (*term.Term, error)    { return nil, nil }
func (sightList) Name() string                                { return "" }
func (sightMap) op(int, int, ...byte) (*term.Term, error)     { return nil, nil }
func (sightMap) Name() string                                 { return "" }
func (sightText) op(int, int, ...byte) (*term.Term, error)    { return nil, nil }
func (sightText) Name() string                                { return "" }
func (*sightNumber) op(int, int, ...byte) (*term.Term, error) { return nil, nil }
func (*sightNumber) Name() string                             { return "" }
func (sightWeek) op(int, int, ...byte) (*term.Term, error)    { return nil, nil }
func (sightWeek) Name() string                                { return "" }
func (sightSecond) op(int, int, ...byte) (*term.Term, error)  { return nil, nil }
func (sightSecond) Name() string                              { return "" }
func (sightFunc) op(int, int, ...byte) (*term.Term, error)    { return nil, nil }
func (sightFunc) Name() string                                { return "" }
func (sightGen[T]) op(int, int, ...byte) (*term.Term, error)  { return nil, nil }
func (sightGen[T]) Name() string                              { return "" }
func (sightWrong) op(int, int, []byte) (*term.Term, error)    { return nil, nil }
func (sightWrong) Name() string                               { return "" }
func (sightFew) op(int, int, ...byte) (*term.Term, error)     { return nil, nil }

// The compiler checks that these expressions are right; the test compares their text.
var _ = []sightOp{&sightBase{}, sightPlain{}, &sightPointer{}, &sightEmbeds{}, sightThrough{}, sightList{}, sightMap{}, sightText(""),
	new(sightNumber), sightWeek(0), *new(sightSecond)}

const sightWant = `&sightBase{} sightPlain{} &sightPointer{} &sightEmbeds{} sightThrough{} sightList{} sightMap{} sightText("") ` +
	`new(sightNumber) sightWeek(0) *new(sightSecond)`

func TestImplementers(t *testing.T) {
	const pkg = "github.com/allele-go/allele/internal/value/codec"
	type local interface{ Name() string }
	for _, c := range []struct {
		name  string
		iface reflect.Type
		sight codec.Sight
		want  string
	}{
		{"of external tests", reflect.TypeFor[sightOp](), codec.Sight{Path: pkg, From: pkg + "_test"}, sightWant},
		{"no other package can name them", reflect.TypeFor[sightOp](), codec.Sight{Path: pkg, From: "example.com/x"}, ""},
		{"a method of another package", reflect.TypeFor[sightOp](), codec.Sight{Path: "example.com/codec", From: "example.com/codec_test"}, ""},
		{"an interface inside a function", reflect.TypeFor[local](), codec.Sight{Path: pkg, From: pkg + "_test"}, sightWant + " sightWrong{}"},
		{"qualified, and no test doubles", reflect.TypeFor[error](), codec.Sight{Path: pkg, From: pkg + "_test"}, "&codec.Unfit{}"},
		{"nothing", reflect.TypeFor[io.ReadWriteSeeker](), codec.Sight{Path: pkg, From: pkg + "_test"}, ""},
	} {
		got := strings.Join(codec.SourceConsts(".").Implementers(c.iface, c.sight), " ")
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}
