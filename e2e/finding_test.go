package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// finding is a property that a script expects to fail.
type finding struct{ test, headline string }

type findingsKey struct{}

// found [-apart] test verdict literals headline place checks what the command has just
// printed about a property: it failed with this headline, the case is stored, and the
// place is named below it. The property has one stored case, with this verdict and number
// of composite literals. With -apart the case must run in a process of its own. headline
// and place are regular expressions.
func found(ts *testscript.TestScript, neg bool, args []string) {
	apart := len(args) > 0 && args[0] == "-apart"
	if apart {
		args = args[1:]
	}
	usage(ts, neg, len(args) == 5, "found [-apart] test verdict literals headline place")
	test, verdict, headline, place := args[0], args[1], args[3], args[4]
	literals, err := strconv.Atoi(args[2])
	ts.Check(err)
	report := reportOf(ts, test)
	for _, pattern := range []string{
		`(?m)^\w+\.` + test + ` .*  FAILED$`, `(?m)_test\.go:\d+: ` + headline + `$`,
		`(?m)^ +saved    testdata/allele/` + test + `/fail-\w+\.case$`, `(?s)\n +replay .*` + place,
	} {
		wants(ts, test, report, pattern)
	}
	header, value, ok := strings.Cut(stored(ts, test), "\n\n")
	if !ok || strings.Count(value, "{") != literals || strings.Contains(header, "\n// runs     isolated") != apart {
		ts.Fatalf("%s: want %d literals and isolated %v in the case\n%s\n\n%s", test, literals, apart, header, value)
	}
	wants(ts, test, header, `(?m)^// verdict  `+verdict+`$`)
	wants(ts, test, header, `(?m)^// message  `+headline+`$`)
	all, _ := ts.Value(findingsKey{}).(*[]finding)
	*all = append(*all, finding{test, headline})
}

// replayed checks what go test has just printed: every property that the script found has
// failed on its stored case, with the same headline.
func replayed(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 0, "replayed")
	all := *ts.Value(findingsKey{}).(*[]finding)
	if len(all) == 0 {
		ts.Fatalf("no found line before replayed")
	}
	_, out, _ := strings.Cut("\n"+ts.ReadFile("stdout"), "\n--- ")
	for _, f := range all {
		_, report, _ := strings.Cut("\n--- "+out, "\n--- FAIL: "+f.test+" (")
		report, _, _ = strings.Cut(report, "\n--- ")
		wants(ts, f.test, report, `(?m)_test\.go:\d+: `+f.headline+`$`)
		wants(ts, f.test, report, `\n +from +testdata/allele/`+f.test+`/fail-\w+\.case\n`)
	}
}

func wants(ts *testscript.TestScript, test, text, pattern string) {
	if !regexp.MustCompile(pattern).MatchString(text) {
		ts.Fatalf("%s: no %s in\n%s", test, pattern, text)
	}
}

// reportOf returns what the command printed about a property, up to the next property.
func reportOf(ts *testscript.TestScript, test string) string {
	out := "\n" + ts.ReadFile("stdout")
	line := regexp.MustCompile(`\n\w+\.` + test + ` `).FindStringIndex(out)
	if line == nil {
		ts.Fatalf("nothing about %s in\n%s", test, out)
	}
	report := out[line[0]+1:]
	if next := regexp.MustCompile(`\n\w+\.Test`).FindStringIndex(report); next != nil {
		report = report[:next[0]]
	}
	return report
}

// stored returns the only stored case of a test.
func stored(ts *testscript.TestScript, test string) string {
	files, err := filepath.Glob(ts.MkAbs(filepath.Join("testdata", "allele", test, "*")))
	if err != nil || len(files) != 1 || filepath.Ext(files[0]) != ".case" {
		ts.Fatalf("%s: want one stored case, found %v", test, files)
	}
	data, err := os.ReadFile(files[0])
	ts.Check(err)
	return string(data)
}
