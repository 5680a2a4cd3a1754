//go:build go1.25

package schema

import "reflect"

// nullName is the enum whose only purpose is a null in JSON: every number of it is written as null.
const nullName = "google.protobuf.NullValue"

// enum gives a scalar the constants of its protobuf enum, if it is one and nothing else is known
// about it. An open enum has other numbers too. A closed one, as in proto2, has none.
func (s *Schema) enum(e entry) {
	if s.Bits != 32 || !s.signed || s.Type.PkgPath() == "" || e.limit != nil || e.consts != nil && !e.loose {
		return
	}
	if numbers, closed := enumNumbers(s.Type); len(numbers) > 0 {
		s.Consts, s.Loose, s.Only = numbers, false, closed
	}
}

// enumNumbers returns the numbers in the descriptor of an enum. It returns nil if t is not a protobuf enum.
func enumNumbers(t reflect.Type) (numbers []uint64, closed bool) {
	defer func() {
		if recover() != nil {
			numbers = nil // the methods may be anybody's
		}
	}()
	v := reflect.Zero(t)
	if !v.MethodByName("Number").IsValid() {
		return nil, false
	}
	desc := result(v.MethodByName("Descriptor"))
	if desc.Kind() != reflect.Interface || desc.IsNil() {
		return nil, false
	}
	list := result(desc.MethodByName("Values"))
	n := int(result(list.MethodByName("Len")).Int())
	seen := map[uint64]bool{}
	for i := range n {
		value := list.MethodByName("Get").Call([]reflect.Value{reflect.ValueOf(i)})[0]
		if x := uint64(result(value.MethodByName("Number")).Int()); !seen[x] { // allow_alias
			seen[x] = true
			numbers = append(numbers, x)
		}
	}
	name := result(desc.MethodByName("FullName")).String()
	return numbers, name == nullName || isClosed(desc)
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
