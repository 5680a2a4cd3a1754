//go:build go1.25

package schema

import (
	"net/netip"
	"reflect"
	"strings"
)

// ip6Spelled spells addresses of IPv6, without those of IPv4.
var ip6Spelled = spelled("_text", spelling[ip6, netip.Addr]{
	write: func(x *ip6) string { return x.addr().String() },
	parse: func(text string) (ip6, bool) {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return ip6{}, false
		}
		x, _ := ipOf(a)
		v6, ok := x.(ip6)
		return v6, ok
	},
	from: parsed(netip.ParseAddr),
})

// ipFuncs make a net.IP of IPv4, with 4 and with 16 bytes, of IPv6, and sometimes nil.
func ipFuncs(t reflect.Type) []*Func {
	four := func(args []reflect.Value) []byte {
		return []byte{byte(args[0].Uint()), byte(args[1].Uint()), byte(args[2].Uint()), byte(args[3].Uint())}
	}
	mapped := func(b []byte) []byte {
		a := netip.AddrFrom4([4]byte(b)).As16()
		return a[:]
	}
	parts := []reflect.Type{byteType, byteType, byteType, byteType}
	short := reflected(t, "net.IPv4(_0, _1, _2, _3).To4()", func(dst reflect.Value, args []reflect.Value) bool {
		dst.SetBytes(four(args))
		return true
	}, parts...)
	long := reflected(t, "net.IPv4(_0, _1, _2, _3)", func(dst reflect.Value, args []reflect.Value) bool {
		dst.SetBytes(mapped(four(args)))
		return true
	}, parts...)
	short.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		if v.Len() != 4 {
			return nil, false
		}
		b := v.Bytes()
		return values(b[0], b[1], b[2], b[3]), true
	}
	long.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		if a, ok := netip.AddrFromSlice(v.Bytes()); !ok || !a.Is4In6() {
			return nil, false
		}
		b := v.Bytes()[12:]
		return values(b[0], b[1], b[2], b[3]), true
	}
	v6 := respelled(ip6Spelled, t, "net.ParseIP(_text)", textForm{func(dst reflect.Value, text string) bool {
		a, err := netip.ParseAddr(text)
		b := a.As16()
		dst.SetBytes(b[:])
		return err == nil
	}, func(v reflect.Value) (string, bool) {
		a, ok := netip.AddrFromSlice(v.Bytes())
		return a.String(), ok && a.Is6()
	}})
	none := reflectedNil(t, "net.IP(nil)")
	return []*Func{asGiven(t), short, long, v6, none}
}

// ipMaskFuncs make a net.IPMask of IPv4 or IPv6 that is the mask of a prefix.
func ipMaskFuncs(t reflect.Type) []*Func {
	of := func(template string, bits int) *Func {
		f := reflected(t, template, func(dst reflect.Value, args []reflect.Value) bool {
			dst.SetBytes(prefixMask(int(args[0].Int()), bits))
			return true
		}, reflect.TypeFor[int]())
		f.Args[0].Decls = []Decl{rangeOf(0, bits)}
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
			n, ok := ones(v.Bytes())
			return values(n), ok && v.Len() == bits/8
		}
		return f
	}
	return []*Func{asGiven(t), of("net.CIDRMask(_0, 32)", 32), of("net.CIDRMask(_0, 128)", 128)}
}

func prefixMask(ones, bits int) []byte {
	m := make([]byte, bits/8)
	for i := range ones {
		m[i/8] |= 0x80 >> (i % 8)
	}
	return m
}

// ones returns the number of leading ones of a mask. It fails if ones follow zeros.
func ones(mask []byte) (n int, ok bool) {
	for n < 8*len(mask) && mask[n/8]&(0x80>>(n%8)) != 0 {
		n++
	}
	return n, string(prefixMask(n, 8*len(mask))) == string(mask)
}

// cidrSpelled spells prefixes whose address has no bits after the prefix.
var cidrSpelled = spelled("_text", maskedSpelling)

// ipNetFuncs make a net.IPNet as net.ParseCIDR does.
func ipNetFuncs(t reflect.Type) []*Func {
	set := func(dst reflect.Value, text string) bool {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return false
		}
		p = p.Masked()
		dst.FieldByName("IP").SetBytes(p.Addr().AsSlice())
		dst.FieldByName("Mask").SetBytes(prefixMask(p.Bits(), p.Addr().BitLen()))
		return true
	}
	text := func(v reflect.Value) (string, bool) {
		a, ok := netip.AddrFromSlice(v.FieldByName("IP").Bytes())
		n, isMask := ones(v.FieldByName("Mask").Bytes())
		p := netip.PrefixFrom(a, n)
		return p.String(), ok && isMask && !a.Is4In6() && v.FieldByName("Mask").Len() == a.BitLen()/8 && p == p.Masked()
	}
	parse := respelled(cidrSpelled, t, "func() net.IPNet { _, v, _ := net.ParseCIDR(_text); return *v }()", textForm{set, text})
	return []*Func{asGiven(t), parse}
}

// mailFuncs make a mail.Address that net/mail writes and reads without a change.
func mailFuncs(t reflect.Type) []*Func {
	f := literal(t, "", "Name", "Address")
	f.Args[0].Decls = []Decl{matchOf(`|[A-Za-z]{1,8}( [A-Za-z.,'"@<>()\\-]{1,8}){0,2}|[A-Z][a-z]{0,4}[ß-öø-ÿ][a-zß-öø-ÿ]{0,4}|[一-三]{1,3}`)}
	const user, host = "[a-z0-9!#$%&'*+/=?^_{|}~-]{1,8}(\\.[a-z0-9]{1,4}){0,2}", "([a-z]([a-z0-9-]{0,4}[a-z0-9])?\\.){0,2}[a-z]{2,4}"
	f.Args[1].Decls = []Decl{matchOf(user + "@" + host)}
	return []*Func{asGiven(t), f}
}

// nullFuncs make values of sql.NullString and the like: zero, or a valid value.
func nullFuncs(t reflect.Type) []*Func {
	null, some := literal(t, ""), literal(t, "Valid", t.Field(0).Name)
	return []*Func{asGiven(t), null, some}
}

// isNull reports whether t is a type such as sql.NullString.
func isNull(t reflect.Type) bool {
	return t.PkgPath() == "database/sql" && strings.HasPrefix(t.Name(), "Null") && t.Kind() == reflect.Struct &&
		t.NumField() == 2 && t.Field(1).Name == "Valid" && t.Field(1).Type.Kind() == reflect.Bool
}
