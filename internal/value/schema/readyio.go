//go:build go1.25

package schema

import (
	"bytes"
	"io"
	"reflect"
	"strings"
)

// readerFuncs make buffers and readers with a content that is not read yet.
var readerFuncs = func() []*Func {
	fs := []*Func{
		func1("bytes.NewBuffer(_0)", bytes.NewBuffer),
		func1("bytes.NewReader(_0)", bytes.NewReader),
		func1("strings.NewReader(_0)", strings.NewReader),
		func1("*bytes.NewBuffer(_0)", func(b []byte) bytes.Buffer { return *bytes.NewBuffer(b) }),
		func1("*bytes.NewReader(_0)", func(b []byte) bytes.Reader { return *bytes.NewReader(b) }),
		func1("*strings.NewReader(_0)", func(s string) strings.Reader { return *strings.NewReader(s) }),
	}
	for _, f := range fs {
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
			if v.Kind() != reflect.Pointer {
				v = v.Addr()
			}
			return unread(v.Interface())
		}
	}
	return append([]*Func{
		hiddenZero[*bytes.Buffer]("(*bytes.Buffer)(nil)"), newZero[bytes.Buffer](), hiddenZero[bytes.Buffer]("bytes.Buffer{}"),
		hiddenZero[*bytes.Reader]("(*bytes.Reader)(nil)"), newZero[bytes.Reader](), hiddenZero[bytes.Reader]("bytes.Reader{}"),
		hiddenZero[*strings.Reader]("(*strings.Reader)(nil)"), newZero[strings.Reader](), hiddenZero[strings.Reader]("strings.Reader{}"),
	}, fs...)
}()

// unread returns the bytes or the string that a buffer or reader has, if nothing of it was read.
func unread(x any) ([]reflect.Value, bool) {
	switch x := x.(type) {
	case *bytes.Buffer:
		if x != nil {
			return values(x.Bytes()), true
		}
	case *bytes.Reader:
		if x != nil && int64(x.Len()) == x.Size() {
			c := *x // reading must not change the example
			b, err := io.ReadAll(&c)
			return values(b), err == nil
		}
	case *strings.Reader:
		if x != nil && int64(x.Len()) == x.Size() {
			c := *x
			b, err := io.ReadAll(&c)
			return values(string(b)), err == nil
		}
	}
	return nil, false
}
