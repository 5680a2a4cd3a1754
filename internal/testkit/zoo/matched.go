//go:build go1.25

package zoo

import (
	"reflect"

	"github.com/allele-go/allele/internal/value/schema"
)

// Matched has fields whose texts match regular expressions. Each text has one derivation.
type Matched struct {
	Version Version
	Needs   map[Version]*Slug
	Slug    Slug
	Title   Title
	Any     []any
}

// The types of matched texts.
type (
	Version string
	Slug    []byte
	Title   string
)

func matched() Animal {
	a := of[Matched]("matched")
	a.Decls = append(a.Decls, variants[any](Version(""), Slug{}, new(Title)),
		match[Version](`v?\d+(\.\d+){1,2}(-[a-z]+)?`),
		match[Slug](`([a-z]{2,4}_)*[0-9]{3}`),
		match[Title](`(|A\b.*)`))
	return a
}

func match[T any](expr string) schema.Decl {
	m, err := schema.NewMatch(expr)
	if err != nil {
		panic(err)
	}
	return schema.Decl{Type: reflect.TypeFor[T](), What: m, Tier: schema.Global}
}
