//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testbin/cache"
)

// sized replaces sizes by N B, in a table with the spaces before them.
func sized(text string) string {
	text = regexp.MustCompile(`(?m)^(.{12}) +[0-9]+ B  `).ReplaceAllString(text, "$1 N B  ")
	return regexp.MustCompile(`\b[0-9]+ B\b`).ReplaceAllString(text, "N B")
}

func TestClean(t *testing.T) {
	saved := ownCorpora(t)
	keep(t, saved, "example.com/x", "TestX", "1")
	root := filepath.Dir(saved)
	work := func(name string) cache.Temp {
		temp, err := cache.Enter(root, filepath.Join(root, name+"-0123456789abcdef"))
		if err != nil {
			t.Fatal(err)
		}
		return temp
	}
	temp := work("new")
	temp.Remove()
	temp = work("used")
	left := func() string {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, strings.TrimSuffix(e.Name(), "-0123456789abcdef"))
			}
		}
		return strings.Join(names, " ")
	}
	step := func(args, want, after string, code int) {
		t.Helper()
		out, exit := allele(t, strings.Fields("clean "+args)...)
		if exit != code || sized(strings.ReplaceAll(out, root, "CACHE")) != want || left() != after {
			t.Errorf("clean %s: exit %d, left are %s\n%s", args, exit, left(), out)
		}
	}
	step("-n", "would remove N B  new-0123456789abcdef\nin use       N B  used-0123456789abcdef\n"+
		"would remove 1 build, N B, in CACHE\nkept the saved inputs of 1 property, N B; -corpus removes them too\n",
		"corpus new used", exitOK)
	step("", "removed      N B  new-0123456789abcdef\nin use       N B  used-0123456789abcdef\n"+
		"removed 1 build, N B, in CACHE\nkept the saved inputs of 1 property, N B; -corpus removes them too\n",
		"corpus used", exitOK)
	step("-corpus", "in use       N B  used-0123456789abcdef\nremoved 0 builds, N B, in CACHE\n"+
		"allele clean: the saved inputs of 1 property, N B are kept, because a command is running that may save more; "+
		"try again when it has ended\n", "corpus used", exitUsage)
	temp.Remove()
	step("-n -corpus", "would remove N B  used-0123456789abcdef\nwould remove 1 build, N B, in CACHE\n"+
		"would remove the saved inputs of 1 property, N B\n", "corpus used", exitOK)
	step("-corpus", "removed      N B  used-0123456789abcdef\nremoved 1 build, N B, in CACHE\n"+
		"removed the saved inputs of 1 property, N B\n", "", exitOK)
	step("", "removed 0 builds, N B, in CACHE\n", "", exitOK)
	step("./...", "allele clean: unexpected argument \"./...\": the command removes the builds of all packages\n", "", exitUsage)
}
