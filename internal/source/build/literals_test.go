//go:build go1.25

package build

import "testing"

// Every constant found in the source is a value of its type in the program.
func TestLiteralsReachTheProgram(t *testing.T) {
	const code = `package a

import "strings"

type Color uint8

func f(c Color, n int8, u uint64, x float32, s string) bool {
	switch c {
	case 1, 200:
		return true
	}
	return n == -128 || u == 1<<64-1 || x < 0.1 || s == "\xff\"\n" || strings.HasPrefix(s, "pre:")
}
`
	output(t, Config{}, map[string]string{"a.go": code, "a_test.go": `package a

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

func TestLiterals(t *testing.T) {
	got := ""
	for _, v := range hook.Literals {
		got += fmt.Sprintf("%T %#v; ", v, v)
	}
	if want := "a.Color 0x1; a.Color 0xc8; int8 -128; uint64 0xffffffffffffffff; float32 0.1; string \"\\xff\\\"\\n\"; string \"pre:\"; "; got[:min(len(got), len(want))] != want {
		t.Error(got)
	}
}
`})
}
