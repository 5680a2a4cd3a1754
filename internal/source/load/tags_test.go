//go:build go1.25

package load

import (
	"strings"
	"testing"
)

// The tag of jobs is one more tag of the user's, wherever these come from.
func TestBuilding(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod -tags=outer")
	for _, c := range []struct {
		sentence string
		config   Config
		want     string
	}{
		{"tags of GOFLAGS", Config{}, "-tags=outer,allele_jobs"},
		{"the last GOFLAGS counts", Config{Env: []string{"GOFLAGS=-tags=x", "GOFLAGS='-tags=a b' -race"}}, "-tags=a,b,allele_jobs"},
		{"no tags", Config{Env: []string{"GOFLAGS="}}, "-tags=allele_jobs"},
		{"a flag comes before GOFLAGS", Config{Flags: []string{"-race", "-tags=c,d", "-mod=mod"}}, "-race -mod=mod -tags=c,d,allele_jobs"},
		{"the last flag counts", Config{Flags: []string{"-tags=c", "--tags=e"}}, "-tags=e,allele_jobs"},
		{"a program has no jobs", Config{Flags: []string{"-tags=c"}, Main: true}, "-tags=c"},
	} {
		if got := strings.Join(c.config.Building(), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
		}
	}
}
