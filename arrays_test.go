//go:build go1.25

package allele

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type (
	arrayID   [16]byte
	arrayHash [32]byte
)

// chainBlock is a block of a chain: each has the hash of the one before it.
type chainBlock struct {
	Prev *chainBlock
	Hash arrayHash
}

func (b *chainBlock) length() (n int) {
	for ; b != nil; b = b.Prev {
		n++
	}
	return n
}

// share returns how many of 1,000 inputs of a Check have a feature.
func share[In any](t *testing.T, has func(In) bool, options ...Option) (n int) {
	t.Helper()
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in In) {
			if has(in) {
				n++
			}
		}, append(options, Tests(1000))...)
	})
	if r.Failed() {
		t.Fatal(r.text())
	}
	return n
}

// An array costs what a struct of as many fields costs, so lists of arrays are as long as
// lists of numbers.
func TestArraysDoNotStarve(t *testing.T) {
	for _, c := range []struct {
		what         string
		least, share int
	}{
		{"IDs, at least five", 500, share(t, func(in []arrayID) bool { return len(in) >= 5 })},
		{"IDs as keys, at least five", 500, share(t, func(in map[arrayID]string) bool { return len(in) >= 5 })},
		{"hashes, at least five", 500, share(t, func(in [][32]byte) bool { return len(in) >= 5 })},
		{"hashes of numbers, at least five", 500, share(t, func(in [][8]uint32) bool { return len(in) >= 5 })},
		{"IPv4 addresses", 250, addresses(t, netip.Addr.Is4)},
		{"IPv6 addresses", 250, addresses(t, netip.Addr.Is6)},
		{"no addresses", 250, addresses(t, func(a netip.Addr) bool { return !a.IsValid() })},
		{"chains, at least five blocks", 500, share(t, func(in *chainBlock) bool { return in.length() >= 5 })},
		{"a pointer to a hash is not nil", 700, share(t, func(in *[32]byte) bool { return in != nil })},
		{"a pointer to a page is not nil", 700, share(t, func(in *[65536]byte) bool { return in != nil })},
		{"pages in structs", 500, share(t, func(in struct {
			Page *[65536]byte
			N    int
		}) bool {
			return in.Page != nil
		})},
	} {
		if t.Logf("%s: %d", c.what, c.share); c.share < c.least {
			t.Errorf("%s: %d of 1,000 inputs, want at least %d", c.what, c.share, c.least)
		}
	}
}

// addresses returns how many of 1,000 addresses in lists have a feature.
func addresses(t *testing.T, is func(netip.Addr) bool) int {
	t.Helper()
	all, some := 0, 0
	share(t, func(in []netip.Addr) bool {
		for _, a := range in {
			if all++; is(a) {
				some++
			}
		}
		return true
	})
	return 1000 * some / max(1, all)
}

const uuidExpr = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// The fixed part of a text that must match an expression costs no more than a string: the
// fields beside it are filled as if it were one.
func TestMatchDoesNotStarve(t *testing.T) {
	type account struct {
		ID    string
		Names []string
		Note  string
	}
	named := func(in account) bool { return len(in.Names) >= 5 }
	noted := func(in account) bool { return len(in.Note) >= 3 }
	for _, has := range []func(account) bool{named, noted} {
		plain := share(t, has)
		for _, expr := range []string{uuidExpr, `[0-9a-f]{36}`, `[0-9a-f]{32,36}`, `([0-9a-f]{2}:){15}[0-9a-f]{2}`} {
			n := share(t, has, At("ID", Match[string](expr)))
			if t.Logf("%s: %d, %d without it", expr, n, plain); n < plain*3/4 {
				t.Errorf("%s: %d of 1,000 inputs, %d without it", expr, n, plain)
			}
		}
	}
}

// A case that an earlier version has stored, with all elements in decimal, still runs and fails.
// The search then shrinks and prints the same array with indexes.
func TestStoredArrays(t *testing.T) {
	inEmptyPackage(t)
	check := func() *recorder {
		return recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				ID   arrayID
				Page *[300]uint16
			}) {
				if in.ID[1] == 69 && in.Page != nil && in.Page[20] > 6 {
					t.Error("found")
				}
			}, Tests(20), Example(struct {
				ID   arrayID
				Page *[300]uint16
			}{ID: arrayID{1: 68}, Page: &[300]uint16{20: 9}}))
		})
	}
	folder := filepath.Join("testdata", "allele", "TestX")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	page := "&[300]uint16{" + strings.Repeat("5, ", 20) + "7" + strings.Repeat(", 0", 279) + "}"
	text := "// allele case 1\n// test     TestX\n// verdict  failed\n\nin{ID: arrayID{127, 69, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, Page: " + page + "}\n"
	if err := os.WriteFile(filepath.Join(folder, "fail-70c448.case"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	check().has(t, "found", "ID: arrayID{0x00, 0x45}, Page: &[300]uint16{20: 7}}", "from     testdata/allele/TestX/fail-70c448.case")
}

// Long arrays and lists of zeros are printed short, and a stored case of them is read again.
func TestLongZeros(t *testing.T) {
	type pair struct{ A, B int8 }
	for what, run := range map[string]func(testing.TB){
		"empty structs": func(t testing.TB) {
			Check(t, func(t *T, in struct {
				A [1 << 16]struct{}
				N int
			}) {
				t.Error("found")
			})
		},
		"arrays of empty structs in a list": func(t testing.TB) {
			Check(t, func(t *T, in [][1 << 12]struct{}) {
				if len(in) > 1 {
					t.Error("found")
				}
			})
		},
		"a map": func(t testing.TB) {
			Check(t, func(t *T, in map[[1 << 12]struct{}][1 << 10]pair) {
				if len(in) > 0 {
					t.Error("found")
				}
			})
		},
		"pointers":     func(t testing.TB) { Check(t, func(t *T, in [1 << 10]*int) { t.Error("found") }) },
		"bools":        func(t testing.TB) { Check(t, func(t *T, in [1 << 12]bool) { t.Error("found") }) },
		"bytes":        func(t testing.TB) { Check(t, func(t *T, in [1 << 16]byte) { t.Error("found") }) },
		"nested":       func(t testing.TB) { Check(t, func(t *T, in [64][64]bool) { t.Error("found") }) },
		"nested empty": func(t testing.TB) { Check(t, func(t *T, in [64][64]struct{}) { t.Error("found") }) },
		"one that is not zero": func(t testing.TB) {
			Check(t, func(t *T, in [100]string) {
				if in[70] != "" {
					t.Error("found")
				}
			})
		},
		"a list": func(t testing.TB) {
			Check(t, func(t *T, in []struct{}) {
				if len(in) > 30 {
					t.Error("found")
				}
			}, Size(100))
		},
	} {
		t.Run(what, func(t *testing.T) {
			r := record(t, "TestX", func(t testing.TB) { run(t) })
			text := r.text()
			if !strings.Contains(text, "found") || len(text) > 1200 || strings.Count(text, "\n") > 25 {
				t.Errorf("%d lines, %d bytes: %.2000s", strings.Count(text, "\n"), len(text), text)
			}
		})
	}
}
