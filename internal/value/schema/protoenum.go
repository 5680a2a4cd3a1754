//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// nullName is the enum whose only purpose is a null in JSON: every number of it is written as null.
const nullName = "google.protobuf.NullValue"

// enum gives a scalar the constants of its protobuf enum, if it is one and nothing else is known
// about it. An open enum has other numbers too. A closed one, as in proto2, has none.
func (s *Schema) enum(e entry) {
	s.Only = e.likely.only && e.limit == nil
	if s.Bits != 32 || !s.signed || s.Type.PkgPath() == "" || e.limit != nil || e.likely.all != nil && !e.likely.loose {
		return
	}
	if en := enumOf(s.Type); en != nil {
		s.Consts, s.names, s.Loose, s.Only = en.numbers, en.names, false, en.closed
	}
}

// ConstName returns the name of the constant with value x in the package of the type of a protobuf enum.
// It returns "" if there is none.
func (s *Schema) ConstName(x uint64) string {
	if i := slices.Index(s.Consts, x); i >= 0 && s.names != nil {
		return s.names[i]
	}
	return ""
}

// ConstNamed returns the value of the constant with a name, see ConstName.
func (s *Schema) ConstNamed(name string) (x uint64, ok bool) {
	i := slices.Index(s.names, name)
	if i < 0 {
		return 0, false
	}
	return s.Consts[i], true
}

// protoEnum is what the descriptor of an enum says.
type protoEnum struct {
	numbers []uint64
	names   []string // of the Go constants
	closed  bool
}

// enumOf returns nil if t is not a protobuf enum with numbers.
func enumOf(t reflect.Type) (en *protoEnum) {
	defer func() {
		if recover() != nil {
			en = nil // the methods may be anybody's
		}
	}()
	v := reflect.Zero(t)
	if !v.MethodByName("Number").IsValid() {
		if v.MethodByName("EnumDescriptor").IsValid() {
			return oldEnum(v)
		}
		return nil
	}
	desc := result(v.MethodByName("Descriptor"))
	if desc.Kind() != reflect.Interface || desc.IsNil() {
		return nil
	}
	en = &protoEnum{}
	prefix := constPrefix(t.Name(), result(desc.MethodByName("Name")).String())
	list := result(desc.MethodByName("Values"))
	for i := range int(result(list.MethodByName("Len")).Int()) {
		value := list.MethodByName("Get").Call([]reflect.Value{reflect.ValueOf(i)})[0]
		x := uint64(result(value.MethodByName("Number")).Int())
		if slices.Contains(en.numbers, x) { // another name for the same number
			continue
		}
		en.numbers = append(en.numbers, x)
		en.names = append(en.names, prefix+result(value.MethodByName("Name")).String())
	}
	if len(en.numbers) == 0 {
		return nil
	}
	en.closed = result(desc.MethodByName("FullName")).String() == nullName || isClosed(desc)
	return en
}

// oldEnum returns the enum of an old generator or of gogo, whose descriptor is compressed: the numbers that
// have a name. Others are left out, because the codecs of gogo cannot read negative ones in packed lists.
func oldEnum(zero reflect.Value) *protoEnum {
	const tried = 1024
	en := &protoEnum{closed: true}
	for x := range int64(tried) {
		v := reflect.New(zero.Type()).Elem()
		v.SetInt(x)
		if s, ok := v.Interface().(fmt.Stringer); ok && s.String() != strconv.FormatInt(x, 10) {
			en.numbers = append(en.numbers, uint64(x))
		}
	}
	if len(en.numbers) == 0 || len(en.numbers) == tried {
		return nil
	}
	return en
}

// constPrefix returns how the constants of an enum begin. They have the name of the Go type or, if the enum is declared in
// a message, that of the message: the constants of Order_Kind, which is Kind in Order, begin with Order_.
func constPrefix(goType, name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		if w != "" && 'a' <= w[0] && w[0] <= 'z' {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	if outer, ok := strings.CutSuffix(goType, "_"+strings.Join(words, "")); ok {
		return outer + "_"
	}
	if outer, ok := strings.CutSuffix(goType, "_"+name); ok {
		return outer + "_"
	}
	return goType + "_"
}

// isClosed reports whether an enum has no numbers but its constants. Old versions of the runtime
// have only the syntax of the file: 2 for proto2.
func isClosed(desc reflect.Value) bool {
	if c := result(desc.MethodByName("IsClosed")); c.IsValid() {
		return c.Bool()
	}
	const proto2 = 2
	return result(desc.MethodByName("Syntax")).Int() == proto2
}
