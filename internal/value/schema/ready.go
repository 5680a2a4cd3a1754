//go:build go1.25

package schema

import (
	"reflect"
	"slices"
)

// Every property has ready builders for types of the standard library that occur in many structs,
// and of which few values are valid. A user's own builder for a type replaces them. The two tables in this file list
// the builders; docs/guide/input-types.md lists the types.
//
// To add builders for a type, write a list of them (readytime.go and readylinked.go have examples, and readyfunc.go
// the functions that make builders), and add the list to one of the tables:
//
//   - readyFuncs, if the library links the package of the type anyway. It must not
//     link others, because they would get into every test binary.
//   - linkedFuncs, if a test binary links the package only if the program under test does. These
//     builders are made by reflection, from the type that the program has. The key begins with * if they make
//     pointers.
//
// A list for a type with fields that can be set, or for a list, begins with asGiven: then stored cases with other
// values still run. Add the type to the tests in readytypes_test.go and package zoo, and to docs/guide/input-types.md.

// readyFuncs are the builders of types whose packages are always linked.
var readyFuncs = [][]*Func{
	timeFuncs, locationFuncs, // package time
	bigFuncs, ratFuncs, floatFuncs, // math/big
	addrFuncs, netFuncs, // net/netip
	urlFuncs, userFuncs, // net/url
	jsonFuncs, numberFuncs, // encoding/json
	regexpFuncs,
	readerFuncs, // bytes and strings
	ifaceFuncs,  // error, context.Context, io.Reader and so on
}

// linkedFuncs return the builders of a type of another package, by the name of the type.
var linkedFuncs = map[string]func(reflect.Type) []*Func{
	"net.IP":            ipFuncs,
	"net.IPMask":        ipMaskFuncs,
	"net.IPNet":         ipNetFuncs,
	"net/mail.Address":  mailFuncs,
	"*net/http.Request": requestFuncs,
	"database/sql.Null": nullFuncs, // NullString and so on
}

// ready returns the builders of readyFuncs as declarations.
func ready() (ds []Decl) {
	for _, list := range readyFuncs {
		for _, f := range list {
			ds = append(ds, makes(f))
		}
	}
	return ds
}

// linkedTo returns the builders of t in linkedFuncs, or nil.
func linkedTo(t reflect.Type) []*Func {
	name := typeName(t)
	if isNull(t) {
		name = "database/sql.Null"
	}
	if funcs := linkedFuncs[name]; funcs != nil {
		return funcs(t)
	}
	return nil
}

// ReadyTypes returns the names of the types in readyFuncs, for example "time.Time",
// "*regexp.Regexp" and "math/big.Int". Package source/facts needs them: a function with an
// argument of such a type may be a builder.
func ReadyTypes() (names []string) {
	for _, d := range ready() {
		if d.Type.Kind() == reflect.Interface {
			continue // an argument of such a type is often more than data
		}
		if name := typeName(d.Type); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// typeName returns the name of a type or of a pointer to it, with the import path of its package.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + t.Elem().PkgPath() + "." + t.Elem().Name()
	}
	return t.PkgPath() + "." + t.Name()
}
