//go:build go1.25

package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// The reference page has the help of the command, and a section for each command of the table. The
// tables of the page list the flags of each command, no more and no fewer.
func TestReferencePage(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "guide", "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if !strings.Contains(page, "\n$ go tool allele help\n"+usageText()+"```\n") {
		t.Errorf("docs/guide/command.md has another text than:\n%s", usageText())
	}
	for _, c := range subcommands() {
		_, section, ok := strings.Cut(page, "\n## `allele "+c.name+"`\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if c.sub == nil {
			compareFlags(t, c, section, ok, c.name)
		}
		for _, sub := range c.sub {
			rows := ""
			for line := range strings.Lines(section) {
				if strings.HasPrefix(line, "| `"+sub.name+"`") {
					rows += line
				}
			}
			compareFlags(t, sub, rows, ok && rows != "", c.name+" "+sub.name)
		}
	}
}

// The comment of the package lists the commands of the table.
func TestPackageComment(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll("\n"+callForms("allele", subcommands()), "\n       ", "\n")
	if want = strings.TrimSuffix(strings.ReplaceAll(want, "\n", "\n//\t"), "//\t"); !strings.Contains(string(source), "//"+want+"//\n") {
		t.Errorf("the comment does not have these lines:%s", want)
	}
}

var flagOfTable = regexp.MustCompile("`-([a-zA-Z-]+)[^`]*`")

// compareFlags compares the flags in the first cells of the rows of a table with those of a command.
func compareFlags(t *testing.T, c subcommand, table string, found bool, name string) {
	t.Helper()
	var want, got []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range flagOfTable.FindAllStringSubmatch(cells[1], -1) {
				want = append(want, m[1])
			}
		}
	}
	f := newFlags("allele "+name, "", io.Discard)
	c.setup(f)
	f.VisitAll(func(x *flag.Flag) { got = append(got, x.Name) })
	slices.Sort(want)
	if !found {
		t.Errorf("docs/guide/command.md has nothing about allele %s: a command has a section, and a command of it a row of a table", name)
		return
	}
	if !slices.Equal(want, got) {
		t.Errorf("allele %s: docs/guide/command.md lists %q, the command has %q", name, want, got)
	}
}
