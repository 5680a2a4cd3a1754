//go:build go1.25 && linux

package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/testkit"
)

// buildCounts builds the Go program of testdata with allele build, in a module that does not require the library.
func buildCounts(t *testing.T, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	src, err := os.ReadFile(filepath.Join("testdata", "counts.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/counts\n\ngo 1.22\n", "main.go": string(src)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	allele := filepath.Join(t.TempDir(), "allele")
	command := exec.Command("go", "build", "-buildvcs=false", "-o", allele, "./cmd/allele")
	command.Dir = testkit.Root(t)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cache := t.TempDir()
	command = exec.Command(allele, append([]string{"build", "-C", dir}, flags...)...)
	gocache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	command.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "GOCACHE="+strings.TrimSpace(string(gocache)), "GOPROXY=off", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "counts")
}

// A Go program with probes tells which branches its runs take, however the runs end.
func TestCounts(t *testing.T) {
	binary := buildCounts(t)
	if ok, err := Instrumented(binary); !ok || err != nil {
		t.Fatalf("it is not recognised: %v", err)
	}
	p := &Program{Args: []string{binary, "@@"}, Timeout: time.Minute, Memory: 8 << 30}
	defer p.Close()
	reached := map[string][]uint32{}
	for _, c := range []struct {
		input   string
		code    int
		crashed bool
	}{
		{"", 0, false}, {"b", 0, false}, {"bu", 0, false}, {"bug", 2, true}, {"exit", 7, false}, {"kill", -9, true},
		{"many", 0, false}, {"many first", 0, false}, {"many last", 0, false}, {"go", 0, false}, {"go deep", 0, false},
	} {
		for range 2 {
			r, now := runRecorded(t, p, 0, c.input)
			if r.Code != c.code || r.Crashed() != c.crashed {
				t.Fatalf("%q: %+v", c.input, r)
			}
			if old := reached[c.input]; old != nil && !slices.Equal(sites(old), sites(now)) {
				t.Errorf("%q: a second run has other sites: %v, then %v", c.input, old, now)
			}
			reached[c.input] = now
			if len(now) == 0 || !slices.IsSorted(sites(now)) || outside.Place(now[0]) < outside.First {
				t.Errorf("%q: sites %v", c.input, now)
			}
		}
	}
	if !p.Guided() {
		t.Error("it is not guided")
	}
	for _, pair := range [][2]string{{"", "b"}, {"b", "bu"}, {"bu", "bug"}, {"", "exit"}, {"", "kill"}, {"", "many"},
		{"many", "many first"}, {"many", "many last"}, {"", "go"}, {"go", "go deep"}} {
		if less, more := sites(reached[pair[0]]), sites(reached[pair[1]]); !slices.ContainsFunc(more, func(s uint32) bool {
			return !slices.Contains(less, s)
		}) {
			t.Errorf("%q reaches no site that %q does not reach: %v", pair[1], pair[0], more)
		}
	}
	if b := reached["many"]; !slices.ContainsFunc(b, func(s uint32) bool { return s>>outside.Shift == 7 }) {
		t.Errorf("many: no site has many hits: %x", b)
	}
	if b := reached[""]; !slices.ContainsFunc(b, func(s uint32) bool { return s>>outside.Shift == 2 }) {
		t.Errorf("the hits before main are missing: %x", b) // the loop of start is entered three times
	}
	if r, now := runRecorded(t, p, 200*time.Millisecond, "wait"); r.Stopped != OutOfTime || len(now) == 0 {
		t.Errorf("wait: %+v, sites %v", r, now)
	}
	alone := exec.Command(binary, filepath.Join("testdata", "counts.go.txt"))
	alone.Env = append(os.Environ(), hook.CountsVariable+"=123456789,64") // there is no such memory
	if out, err := alone.CombinedOutput(); err != nil {
		t.Errorf("without anybody who reads its counts: %v\n%s", err, out)
	}
}

// sites returns the numbers of sites without the buckets of their counts.
func sites(reached []uint32) (all []uint32) {
	for _, s := range reached {
		all = append(all, outside.Place(s))
	}
	return all
}
