//go:build go1.25

package schema

import (
	"reflect"
	"slices"
	"sync"

	"github.com/allele-go/allele/internal/value/attempt"
)

// started adds a first value if all functions only change existing values: &T{}. The exported fields
// of T that the functions do not change are set, if the functions were found: no function sets them,
// but all code may. Other fields are zero.
func (sc *scope) started(ms []*Func) []*Func {
	if len(ms) == 0 || !onlyChange(ms) {
		return ms
	}
	var fields []string
	if !slices.ContainsFunc(ms, func(m *Func) bool { return m.origin.source != foundSource }) {
		fields = sc.free(ms)
	}
	zero := zeroPointer(ms[0].Result, fields...)
	zero.origin.source = min(ms[0].origin.source, foundSource)
	return append([]*Func{zero}, ms...)
}

// free returns the exported fields of a struct that the methods ms do not change.
func (sc *scope) free(ms []*Func) (fields []string) {
	t := ms[0].Result.Elem()
	if t.Kind() != reflect.Struct || t.Size() > valueBytes {
		return nil
	}
	used := map[string]bool{}
	for _, m := range ms {
		for _, name := range m.onZero(t).fields {
			used[name] = true
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() && !used[f.Name] && !isBack(f) && !leadsTo(f.Type, t) && !startsZero(f.Type) && !sc.unmakeable(f.Type) &&
			sc.makeable(f.Type, map[reflect.Type]bool{}) {
			fields = append(fields, f.Name)
		}
	}
	return fields
}

// zeroCall is what a method did to a zero value.
type zeroCall struct {
	fields []string // those that it changed
	ok     bool     // it did not panic
}

var zeroCalls sync.Map // from zeroCallKey to zeroCall, because a method may take long

type zeroCallKey struct {
	t         reflect.Type
	pkg, name string
}

// onZero calls a method that changes its receiver on a zero t. The arguments are zero, but pointers
// point to zero values, and slices have an element.
func (m *Func) onZero(t reflect.Type) zeroCall {
	key := zeroCallKey{t, m.Pkg, m.Name}
	if c, ok := zeroCalls.Load(key); ok {
		return c.(zeroCall)
	}
	c := attempt.Call(t, m.Name, func() (c zeroCall) {
		args := reflect.New(m.args)
		for i := range m.args.NumField() {
			switch f := args.Elem().Field(i); f.Kind() {
			case reflect.Pointer:
				f.Set(reflect.New(f.Type().Elem()))
			case reflect.Slice:
				f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			}
		}
		c.ok = m.call(reflect.New(m.Result).UnsafePointer(), args.UnsafePointer())
		for i := range t.NumField() {
			if !args.Elem().Field(0).Elem().Field(i).IsZero() {
				c.fields = append(c.fields, t.Field(i).Name)
			}
		}
		return c
	})
	zeroCalls.Store(key, c)
	return c
}
