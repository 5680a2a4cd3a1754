//go:build go1.25

package schema

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"time"
)

// ifaceFuncs are the builders of interfaces of the standard library that many structs contain. A
// variant or a builder that is declared or found for such an interface replaces them.
var ifaceFuncs = []*Func{
	qualified("errors", utf8Arg(func1("errors.New(_0)", errors.New))),

	func0("context.Background()", func() context.Context { return context.Background() }),
	func0("func() context.Context { c, f := context.WithCancel(context.Background()); f(); return c }()", func() context.Context {
		c, f := context.WithCancel(context.Background())
		f()
		return c
	}),
	imports("time", func0("func() context.Context { c, f := context.WithDeadline(context.Background(), time.Unix(0, 0)); f(); return c }()",
		func() context.Context {
			c, f := context.WithDeadline(context.Background(), time.Unix(0, 0))
			f()
			return c
		})),
	imports("time", func0(`func() context.Context {
	c, f := context.WithDeadline(context.Background(), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	_ = f
	return c
}()`, func() context.Context { return farContext{context.Background()} })),

	qualified("strings", func1("strings.NewReader(_0)", func(text string) io.Reader { return strings.NewReader(text) })),
	imports("strings", func1("io.NopCloser(strings.NewReader(_0))", func(text string) io.ReadCloser {
		return io.NopCloser(strings.NewReader(text))
	})),
	qualified("bytes", func0("new(bytes.Buffer)", func() io.Writer { return new(bytes.Buffer) })),
	func0("io.Discard", func() io.Writer { return io.Discard }),
	mapFS,
}

// farContext has a deadline that is far away. One that package context makes has a timer, which
// would stay in memory until the deadline, for every run.
type farContext struct{ context.Context }

func (farContext) Deadline() (time.Time, bool) {
	return time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), true
}
func (farContext) Done() <-chan struct{} { return never }

// AfterFunc is called by package context when another context is derived from this one.
// Otherwise it would start a goroutine that waits for Done.
func (farContext) AfterFunc(func()) (stop func() bool) { return func() bool { return true } }

var never = make(chan struct{})

// mapFS makes file systems with a few files. They are printed as values of package testing/fstest, which a
// test binary need not link: MapFS behaves like its namesake there.
var mapFS = func() *Func {
	f := qualified("", func1("_0", func(files MapFS) fs.FS { return files }))
	f.Args[0].Decls = []Decl{{Type: reflect.TypeFor[MapFS](), What: NonNil}, {Type: reflect.TypeFor[FileName](), What: fileNames}}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		files, ok := readMapFS(v)
		return values(files), ok
	}
	return f
}()

// fileNames are the names of files in a MapFS. Only the last element contains a dot, so no file is
// also a folder. Most names are made of short words, which are cheap: each character of another name
// counts as a node.
var fileNames = func() *Match {
	const (
		folder = `(|a/|b/|a/b/|docs/|[\w-]{1,20}/([\w-]{1,20}/){0,3})`
		name   = `(a|b|index|README|[\w-]{1,20})`
		ending = `(txt|md|go|json|html|[\w-]{1,8})`
	)
	m, err := NewMatch(folder + name + `\.` + ending)
	if err != nil {
		panic("schema: " + err.Error())
	}
	return m
}()
