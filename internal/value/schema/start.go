//go:build go1.25

package schema

import (
	"reflect"
	"slices"
)

// started adds a first value if all functions only change existing values: &T{}. The exported fields
// of T that the functions do not change are set, if the functions were found: no function sets them,
// but all code may. Other fields are zero.
func (sc *scope) started(ms []*Func) []*Func {
	if len(ms) == 0 || !onlyChange(ms) {
		return ms
	}
	var fields []string
	if !slices.ContainsFunc(ms, func(m *Func) bool { return !m.found || m.asked }) {
		fields = sc.free(ms)
	}
	zero := zeroPointer(ms[0].Result, fields...)
	zero.found = ms[0].found
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
		for _, name := range m.changedIn(t) {
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

// changedIn returns the fields of a zero t that a method changes. Its arguments are zero, or point to
// zero values.
func (m *Func) changedIn(t reflect.Type) []string {
	return attempted(t, m.Name, func() (fields []string) {
		args := reflect.New(m.args)
		for i := range m.args.NumField() {
			if f := args.Elem().Field(i); f.Kind() == reflect.Pointer {
				f.Set(reflect.New(f.Type().Elem()))
			}
		}
		result := reflect.New(m.Result)
		m.call(result.UnsafePointer(), args.UnsafePointer())
		for i := range t.NumField() {
			if f := t.Field(i); !args.Elem().Field(0).Elem().Field(i).IsZero() {
				fields = append(fields, f.Name)
			}
		}
		return fields
	})
}
