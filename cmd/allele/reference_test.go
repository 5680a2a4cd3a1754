//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// The tables of the reference page list the flags of each command, no more and no fewer.
func TestReferencePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "guide", "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"test", "run", "build", "pack", "show", "score", "dist", "facts", "clean", "version"} {
		_, section, ok := strings.Cut(string(page), "\n## `allele "+command+"`\n")
		section, _, _ = strings.Cut(section, "\n## ")
		compareFlags(t, command, section, ok, command, "-h")
	}
	_, section, ok := strings.Cut(string(page), "\n## `allele corpus`\n")
	section, _, _ = strings.Cut(section, "\n## ")
	help, _ := allele(t, "help")
	for _, command := range []string{"list", "show", "min", "merge", "export", "import", "mv"} {
		if !regexp.MustCompile(`allele corpus \S*\b` + command + `\b`).MatchString(help) {
			t.Errorf("allele help does not list allele corpus %s:\n%s", command, help)
		}
		rows := ""
		for line := range strings.Lines(section) {
			if strings.HasPrefix(line, "| `"+command+"`") {
				rows += line
			}
		}
		compareFlags(t, "corpus "+command, rows, ok && rows != "", "corpus", command, "-h")
	}
}

var (
	flagOfTable = regexp.MustCompile("`-([a-zA-Z-]+)[^`]*`")
	flagOfHelp  = regexp.MustCompile(`(?m)^  -([a-zA-Z-]+)`)
)

// compareFlags compares the flags in the first or second cells of the rows of a table with
// those that the help of a command lists.
func compareFlags(t *testing.T, command, table string, found bool, args ...string) {
	t.Helper()
	var want, got []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range flagOfTable.FindAllStringSubmatch(cells[1], -1) {
				want = append(want, m[1])
			}
		}
	}
	help, _ := allele(t, args...)
	for _, m := range flagOfHelp.FindAllStringSubmatch(help, -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !found || !slices.Equal(want, got) {
		t.Errorf("allele %s: docs/guide/command.md lists %q, the command has %q", command, want, got)
	}
}
