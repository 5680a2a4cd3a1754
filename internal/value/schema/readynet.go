//go:build go1.25

package schema

import (
	"encoding/binary"
	"net/netip"
	"reflect"
)

// ip is an IP address. Its parts are fields and not array elements: an address of four
// small words is mostly zeros, like most addresses that people write.
type ip interface{ addr() netip.Addr }

type (
	ip4 struct{ A, B, C, D uint8 }
	ip6 struct{ A, B, C, D uint32 }
)

func (x ip4) addr() netip.Addr { return netip.AddrFrom4([4]byte{x.A, x.B, x.C, x.D}) }

func (x ip6) addr() netip.Addr {
	var b [16]byte
	for i, w := range [...]uint32{x.A, x.B, x.C, x.D} {
		binary.BigEndian.PutUint32(b[4*i:], w)
	}
	return netip.AddrFrom16(b)
}

// ipOf converts an address to an ip. It fails for an address with a zone.
func ipOf(a netip.Addr) (ip, bool) {
	if a.Is4() {
		b := a.As4()
		return ip4{b[0], b[1], b[2], b[3]}, true
	}
	b := a.As16()
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	return ip6{word(0), word(1), word(2), word(3)}, a.Is6() && a.Zone() == ""
}

// addrPort is an address and a port.
type addrPort struct {
	IP   ip
	Port uint16
}

// block is a network prefix: an address and the number of its leading bits that
// count.
type block interface{ prefix() netip.Prefix }

type (
	block4 struct {
		IP   ip4
		Bits uint8
	}
	block6 struct {
		IP   ip6
		Bits uint8
	}
)

func (x block4) prefix() netip.Prefix { return netip.PrefixFrom(x.IP.addr(), int(x.Bits)) }
func (x block6) prefix() netip.Prefix { return netip.PrefixFrom(x.IP.addr(), int(x.Bits)) }

func blockOf(p netip.Prefix) (block, bool) {
	x, ok := ipOf(p.Addr())
	if v4, is4 := x.(ip4); is4 {
		return block4{v4, uint8(p.Bits())}, ok
	}
	return block6{x.(ip6), uint8(p.Bits())}, ok
}

var addrPortSpelling = spelling[addrPort, netip.AddrPort]{
	write: func(x *addrPort) string { return netip.AddrPortFrom(x.IP.addr(), x.Port).String() },
	parse: func(text string) (addrPort, bool) {
		a, err := netip.ParseAddrPort(text)
		if err != nil {
			return addrPort{}, false
		}
		x, ok := ipOf(a.Addr())
		return addrPort{x, a.Port()}, ok
	},
	from:  parsed(netip.ParseAddrPort),
	text:  func(a *netip.AddrPort) (string, bool) { return a.String(), a.IsValid() },
	decls: []Decl{variantsOf[ip](ip4{}, ip6{})},
}

var prefixSpelling = spelling[block, netip.Prefix]{
	write: func(x *block) string { return (*x).prefix().String() },
	parse: func(text string) (block, bool) {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, false
		}
		return blockOf(p)
	},
	from: parsed(netip.ParsePrefix),
	text: func(p *netip.Prefix) (string, bool) { return p.String(), p.IsValid() },
	decls: []Decl{
		variantsOf[block](block4{}, block6{}),
		{What: At{Path: "block4.Bits", Sub: []Decl{rangeOf[uint8](0, 32)}}},
		{What: At{Path: "block6.Bits", Sub: []Decl{rangeOf[uint8](0, 128)}}},
	},
}

// maskedSpelling is prefixSpelling, except that the address bits after the prefix
// are cleared.
var maskedSpelling = func() spelling[block, netip.Prefix] {
	sp := prefixSpelling
	sp.from = func(text string) (netip.Prefix, bool) {
		p, ok := prefixSpelling.from(text)
		return p.Masked(), ok
	}
	sp.text = nil
	return sp
}()

var netFuncs = []*Func{
	hiddenZero[netip.AddrPort]("netip.AddrPort{}"),
	verbatim("netip.MustParseAddrPort(_text)", addrPortSpelling), // for addresses with a zone
	spelled("netip.MustParseAddrPort(_text)", addrPortSpelling),
	hiddenZero[netip.Prefix]("netip.Prefix{}"),
	spelled("netip.MustParsePrefix(_text)", prefixSpelling),
	spelled("netip.MustParsePrefix(_text).Masked()", maskedSpelling),
}

var addrFuncs = []*Func{addr4, addr16, addrZero}

var addr4 = func() *Func {
	f := func1("netip.AddrFrom4(_0)", netip.AddrFrom4)
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		a := v.Interface().(netip.Addr)
		if !a.Is4() {
			return nil, false
		}
		return values(a.As4()), true
	}
	return f
}()

var addr16 = func() *Func {
	f := func1("netip.AddrFrom16(_0)", netip.AddrFrom16)
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		a := v.Interface().(netip.Addr)
		if !a.Is6() || a.Zone() != "" {
			return nil, false
		}
		return values(a.As16()), true
	}
	return f
}()

var addrZero = func() *Func {
	f := func0("netip.Addr{}", func() netip.Addr { return netip.Addr{} })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, !v.Interface().(netip.Addr).IsValid() }
	return f
}()
