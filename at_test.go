//go:build go1.25

package allele

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// keysOf is a type with maps at several places.
type keysOf struct {
	Headers map[string]string
	Ports   map[uint16]map[string]int8
	Hosts   []map[hostKey]string
	Next    *keysOf
}

type hostKey struct {
	Name string
	Port uint16
}

// A path can lead to the keys of a map alone, or to its elements alone.
func TestAtKeys(t *testing.T) {
	letters, digits := regexp.MustCompile(`^[a-z]{1,3}$`), regexp.MustCompile(`^\d+$`)
	seen := map[string]int{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in keysOf) {
			for x := &in; x != nil; x = x.Next {
				for k, v := range x.Headers {
					if !letters.MatchString(k) || !digits.MatchString(v) {
						t.Errorf("header %q: %q", k, v)
					}
					seen["header"]++
				}
				for port, names := range x.Ports {
					if port < 1 || port > 9 {
						t.Errorf("port %d", port)
					}
					for name, n := range names {
						if name != "a" && name != "b" || n < 5 {
							t.Errorf("name %q: %d", name, n)
						}
						seen["name"]++
					}
				}
				for _, m := range x.Hosts {
					for k, v := range m {
						if k.Port < 100 || k.Port > 200 || k.Name != "k" {
							t.Errorf("host %v", k)
						}
						seen[fmt.Sprint("k as a value ", v == "k")]++
					}
				}
			}
		}, At("Headers", Match[string](`\d+`)), At("Headers[key]", Match[string](`[a-z]{1,3}`)),
			At("Ports[key]", Range[uint16](1, 9)), At("Ports[][key]", Values("a", "b")), At("Ports[][]", Range[int8](5, 100)),
			At("Hosts[][key].Port", Range[uint16](100, 200)), At("Hosts[key].Name", Values("k")))
	})
	if r.failed || seen["header"] == 0 || seen["name"] == 0 || seen["k as a value false"] == 0 {
		t.Error(seen, r.text())
	}
	for _, c := range []struct {
		what string
		run  func(t testing.TB)
		want string // the error; empty if there is none
	}{
		{"the input is a map", func(t testing.TB) {
			Check(t, func(t *T, in map[string]string) {
				for k, v := range in {
					if len(k) != 1 || len(v) != 2 {
						t.Error(k, v)
					}
				}
			}, At("[key]", Values("a", "b", "c")), At("[]", Values("vv", "ww")), Tests(50))
		}, ""},
		{"in a field of a type", func(t testing.TB) {
			Check(t, func(t *T, in struct{ K keysOf }) {
				for k := range in.K.Headers {
					if k != "k" {
						t.Error(k)
					}
				}
			}, Field[keysOf]("Headers", At("[key]", Values("k"))), Tests(200))
		}, ""},
		{"elements of a list", func(t testing.TB) {
			Check(t, func(t *T, in struct{ B, C []byte }) {
				for _, b := range in.B {
					if b > 3 {
						t.Error(b)
					}
				}
			}, At("B[]", Range[byte](0, 3)), Tests(200))
		}, ""},
		{"no map", func(t testing.TB) { Check(t, func(t *T, in keysOf) {}, At("Hosts[key].Name[key]", Values("k"))) },
			`At("Hosts[key].Name[key]"): there is no such field; a path names struct fields from the input down, and [key] for the keys of a map`},
		{"a key by its value", func(t testing.TB) { Check(t, func(t *T, in keysOf) {}, At(`Headers["a"]`, Values("k"))) }, "there is no such field"},
		{"keys of another type", func(t testing.TB) { Check(t, func(t *T, in keysOf) {}, At("Headers[key]", Range(1, 9))) },
			"Range[int]: no field has type int; the fields are in.Headers[key] (string)"},
		{"keys that cannot be compared", func(t testing.TB) {
			Check(t, func(t *T, in struct{ M map[any]int }) {}, Variants[any]([]int{}, map[int]int{}))
		}, `none of the types of Variants[interface {}] can be a map key; declare others for the keys: allele.At("M[key]", allele.Variants[any](...))`},
		{"values that cannot be compared", func(t testing.TB) {
			Check(t, func(t *T, in struct{ M map[any]int }) {}, Values[any]([]int{1}))
		}, `none of the values of Values[interface {}] can be a map key; declare others for the keys: allele.At("M[key]", allele.Values[any](...))`},
		{"keys that can be compared", func(t testing.TB) {
			Check(t, func(t *T, in struct{ M map[any]any }) {}, Variants[any](1, []int{}), At("M[key]", Variants[any](1, "")), Tests(50))
		}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := record(t, "TestX", c.run)
			if r.failed != (c.want != "") || !strings.Contains(r.text(), c.want) {
				t.Errorf("got %s\nwant %s", r.text(), c.want)
			}
		})
	}
}
