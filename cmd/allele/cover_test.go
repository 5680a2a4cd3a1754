//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

const coverSource = `package cover

import "scratch/cover/sub"

type kind int

const (
	even kind = iota
	odd
)

var table = func() (t [4]int) {
	for i := range t {
		t[i] = i * i
	}
	return t
}()

// Small has no branch, so no probe.
func Small(n int) int { return n + 1 }

func Early(n int) int {
	if n >= 0 {
		return 1
	}
	n *= 2
	return n // not reached: the property gives no negative numbers
}

func Chain(n int) (s string) {
	if n > 200 {
		s = "large"
	} else if n > 100 {
		s = "medium"
	} else if m := n % 7; m == 8 {
		s = "never"
	} else {
		s = "small"
	}
	switch k := kind(n % 2); k {
	case even:
		s += " even"
	case odd:
		s += " odd"
	default:
		panic("never")
	}
	return s
}

func Loops(n int) (sum int) {
outer:
	for i := 0; i < n; i++ {
		for j := range table {
			if table[j] > i && i > 2 {
				continue outer
			} else if sum > 50 || n < 0 {
				break outer
			}
			sum++
		}
	}
	if sum == 1000 {
		goto end
	}
	sum += sub.Half(n)
end:
	defer func() {
		if r := recover(); r != nil {
			sum = 0
		}
	}()
	return sum
}

func Wait(n int) int {
	c := make(chan int, 1)
	go func() { c <- n }()
	select {
	case x := <-c:
		return x
	}
}

func unused() {
	println("not reached")
}
`

const coverTest = `package cover

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestAll(t *testing.T) {
	allele.Check(t, func(t *allele.T, in uint8) {
		n := int(in)
		if Small(n) == 0 || Early(n) == 0 || Chain(n) == "" || Loops(n) < 0 || Wait(n) != n {
			t.Error(in)
		}
	})
}
`

// The profile of allele test is that of go test, if the tests reach the same: it has the same
// blocks and numbers of statements, no test files, and no packages that were not named.
func TestCoverAgrees(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"cover/cover.go": coverSource, "cover/cover_test.go": coverTest,
		"cover/sub/sub.go": "package sub\n\nfunc Half(n int) int {\n\tif n > 1000 {\n\t\tn++\n\t}\n\treturn n / 2\n}\n"})
	out, exit := allele(t, "test", "-C", dir, "-coverprofile", "allele.out", "./cover")
	if exit != exitOK {
		t.Fatal(out)
	}
	if out, exit := testkit.Go(t, dir, nil, "test", "-coverprofile", "go.out", "./cover"); exit != 0 {
		t.Fatal(out)
	}
	got, want := profile(t, filepath.Join(dir, "allele.out")), profile(t, filepath.Join(dir, "go.out"))
	if got != want {
		t.Errorf("allele test:\n%s\ngo test:\n%s", got, want)
	}
}

// profile returns a coverage profile in a form that can be compared: sorted, and with 1 for any
// number of hits.
func profile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hits := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if block, n, ok := strings.Cut(strings.TrimSpace(line), " "); ok && block != "mode:" {
			statements, count, _ := strings.Cut(n, " ")
			hits[block+" "+statements] = hits[block+" "+statements] || count != "0"
		}
	}
	var lines []string
	for block, hit := range hits {
		if lines = append(lines, block+" 0"); hit {
			lines[len(lines)-1] = block + " 1"
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
