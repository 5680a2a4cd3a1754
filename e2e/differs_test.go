package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// Every row of the table "What differs" has a section in the script differs.txt.
func TestDiffers(t *testing.T) {
	find := func(file, pattern string) (all []string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(data, -1) {
			all = append(all, string(m[1]))
		}
		slices.Sort(all)
		return all
	}
	rows := find(filepath.Join(testkit.Root(t), "docs", "guide", "go-test-or-allele-test.md"), `(?m)^\| ([^|\n]*[^|\n ]) \|.*\|$`)
	sections := find(filepath.Join("testdata", "script", "differs.txt"), `(?m)^# row: (.*)$`)
	if len(rows) < 5 || !slices.Equal(rows, sections) {
		t.Errorf("the table has the rows\n%q\nand the script\n%q", rows, sections)
	}
}
