package rewriter

import (
	"bytes"
	"testing"
)

// The comparison finds programs that were rewritten wrongly.
func TestFindsDamage(t *testing.T) {
	progs, err := generate(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"nothing":          nil,
		"a stale position": func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("alleleP_=allelePos_;"), nil) },
		"an operand that flips": func(src []byte) []byte {
			return bytes.ReplaceAll(src, []byte("&&alleleOperand_("), []byte("&&!alleleOperand_("))
		},
	} {
		b := batch{sources: printed(progs, false), modes: modes[:3], damage: damage}
		found, err := b.compareIn(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if (len(found) > 0) != (damage != nil) {
			t.Errorf("%s: %d differences %v", name, len(found), found)
		}
	}
}

// Programs contain all constructs.
func TestConstructs(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(2) {
		progs, err := generate(programs, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range printed(progs, seed%2 == 1) {
			if err := count(src, seen); err != nil {
				t.Fatal(err)
			}
		}
	}
	if names := missing(seen); names != nil {
		t.Errorf("no program contains %q", names)
	}
}
