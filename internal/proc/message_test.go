//go:build go1.25

package proc_test

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc"
)

func TestMessages(t *testing.T) {
	var b strings.Builder
	if err := proc.WriteMessage(&b, []byte("abc")); err != nil {
		t.Fatal(err)
	}
	if got, err := proc.ReadMessage(strings.NewReader(b.String())); err != nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "ab", "\x03\x00\x00\x00ab", "\xff\xff\xff\xff"} {
		if got, err := proc.ReadMessage(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as %q", bad, got)
		}
	}
}
