//go:build go1.25

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// scored runs allele score in a folder, with packages that need no build. Each line of the
// file a.go is a fault, and contains its verdict.
func scored(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr strings.Builder
	f := newFlags("allele score", "", &stdout)
	s := newScorer(f)
	s.Work, s.Overlay = filepath.Join(dir, "work"), &build.Overlay{}
	s.measure = func() ([]score.Package, map[string]int, error) {
		all, err := judgedBy(t, s, dir)
		return all, nil, err
	}
	err := f.parse(append([]string{"-C", dir}, args...))
	if err == nil {
		err = s.score(&call{flagSet: f, stdout: &stdout, stderr: &stderr})
	}
	code = exitCode("allele score", err, &stderr)
	return stdout.String(), stderr.String(), code
}

func judgedBy(t *testing.T, s *scorer, dir string) ([]score.Package, error) {
	file := filepath.Join(dir, "a.go")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	p := score.Package{Path: "example.com/a"}
	for i, line := range lines {
		if strings.HasPrefix(line, "//allele:") {
			continue
		}
		p.Faults = append(p.Faults, site.Fault{ID: i, Site: i, Package: p.Path, File: file, Line: i + 1, Col: 1, EndLine: i + 1, EndCol: 3,
			Func: "f", From: line[:2], To: "xx"})
	}
	p.Members = []*score.Member{{Kind: score.Property, Name: "TestA", Key: string(data), Ask: func(faults []site.Fault, to score.Answer) error {
		slices.SortFunc(faults, func(a, b site.Fault) int { return a.ID - b.ID })
		for _, f := range faults {
			verdict, _, _ := strings.Cut(strings.TrimLeft(lines[f.ID], "/* "), " */")
			kind, by, _ := strings.Cut(verdict, "/")
			if kind == "stop" {
				s.Launcher.All.Ask()
				return score.ErrStopped
			}
			if kind == "over" {
				s.watch.over.Store(true)
				s.Launcher.All.Stop()
				return score.ErrStopped
			}
			to.Verdict(fate.Verdict{Fault: f.ID, Kind: kind, By: by, Detail: map[bool]string{true: "timeout"}[kind == fate.NoVerdict]})
		}
		return nil
	}}}
	broken := score.Package{Path: "example.com/b", Err: errors.New("its tests fail")}
	if strings.Contains(string(data), "broken") {
		return []score.Package{broken, p}, nil
	}
	return []score.Package{p}, nil
}

func TestScoreCodes(t *testing.T) {
	killed, survived := "// killed/test\n", "// survived\n"
	for _, c := range []struct {
		what, source, args string
		code               int
		want               string // in one of the two outputs
	}{
		{"a score", killed + survived, "", 0, "2 faults · 1 killed · 1 survived"},
		{"enough", killed + survived, "-min 50 -max-survivors 1", 0, "50 %"},
		{"too little", killed + survived, "-min 50.1", 1, "allele score: -min: the score is 50.0 %, want at least 50.1 %\n"},
		{"too many", killed + survived, "-max-survivors 0", 1, "allele score: -max-survivors: 1 fault was not killed, want at most 0\n"},
		{"many without verdict", killed + "// no verdict\n", "-min 100", 0, "the score leaves out 1 of 2 faults, which have no verdict\n"},
		{"interrupted", killed + "// stop\n", "", 0, "interrupted 1 of 2 faults judged; run the same command to judge the rest"},
		{"interrupted with a threshold", killed + "// stop\n", "-min 1", 1, "allele score: interrupted before the thresholds could be checked\n"},
		{"a package that cannot be judged", killed + "// broken\n", "", 1, "allele score: example.com/b was not judged\n"},
		{"no such set", killed, "-set most", 2, `-set: want all or pit, not "most"`},
		{"no percentage", killed, "-min 101", 2, "-min: want a percentage from 0 to 100, not 101"},
		{"not a number", killed, "-min NaN", 2, "-min: want a percentage from 0 to 100, not NaN"},
		{"negative", killed, "-max-survivors -2", 2, "-max-survivors: want a number of faults, not -2"},
		{"a sample", strings.Repeat(killed, 30), "-sample 20", 0, "sample      20 of 30 faults, drawn by a hash of each; 95 % interval of the score\n" +
			"            of all faults: 83.8 % to 100.0 %"},
		{"a sample with a threshold", strings.Repeat(killed, 30), "-sample 20 -min 90", 1,
			"-min: the score of all faults may be as low as 83.8 %, want at least 90 %; judge more of them"},
		{"a sample of all", killed + killed, "-sample 2 -min 100", 0, "2 faults · 2 killed"},
		{"a sample and the number of survivors", killed, "-sample 2 -max-survivors 0", 2, "-max-survivors counts all faults, and -sample judges only some: " +
			"leave -sample out, or use -min, which compares with the lower end of the interval"},
		{"no sample", killed, "-sample -1", 2, "-sample: want a number of faults above 0, not -1"},
		{"time is over", strings.Repeat(killed, 30) + "// over\n", "-for 1h", 0, "-for 1h0m0s ended before"},
		{"time is over with a number of survivors", strings.Repeat(killed, 30) + "// over\n", "-for 1h -max-survivors 9", 1,
			"-max-survivors counts all faults, and -for ended before all were judged: run the same command again to judge the rest"},
		{"no time to judge in", killed, "-for -1s", 2, "-for: want a time above 0, not -1s"},
		{"no process", killed, "-p 0", 2, "-p: want a number above 0, not 0"},
		{"no time", killed, "-run-timeout 0s", 2, "-run-timeout: want a time above 0, not 0s"},
		{"no memory", killed, "-memory 1MB", 2, "-memory: 1MB is too little"},
		{"no pattern", killed, "-run (", 2, "-run: error parsing regexp"},
		{"no repository", killed, "-since HEAD", 2, "-since needs a git repository"},
		{"accepted", killed + "/* survived */ x //allele:ignore all of no use\n", "-max-survivors 0", 0,
			"1 fault · 1 killed · 1 accepted"},
		{"accepted without a reason", killed + "//allele:ignore all\n" + survived, "", 2,
			"allele score: a.go:2: //allele:ignore all has no reason: write"},
		{"an unknown operator", killed + "//allele:ignore al why\n" + survived, "", 2,
			"the operators are boundary, negate, logic, math, invert, increment, constant, return, delete, all"},
		{"accepted for nothing", killed + "//allele:ignore boundary why\n" + survived, "", 0,
			"stale       a.go:2 //allele:ignore boundary accepts no fault; delete the\n"},
		{"no place for JSON", killed, "-json no/such/file", 2, "-json: open"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(c.source), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
		out, errs, code := scored(t, dir, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+"\n"+errs, c.want) {
			t.Errorf("%s: code %d, want %d with %q:\n%s%s", c.what, code, c.code, c.want, out, errs)
		}
	}
}

// The second run takes the verdicts from the cache and prints the same.
func TestScoreTwice(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a.go"), []byte("// killed/panic\n// survived\n// not reached\n"), 0o666)
	first, _, _ := scored(t, dir, "-json", "1.json")
	second, _, _ := scored(t, dir, "-json", "2.json")
	if strings.Contains(first, "(cached)") || strings.Replace(second, " (cached)", "", 1) != first || second == first {
		t.Errorf("%s\nthen\n%s", first, second)
	}
	if again, _, _ := scored(t, dir, "-fresh"); again != first {
		t.Errorf("%s\nwith -fresh\n%s", first, again)
	}
	one, err1 := os.ReadFile(filepath.Join(dir, "1.json"))
	two, err2 := os.ReadFile(filepath.Join(dir, "2.json"))
	if err1 != nil || err2 != nil || string(one) != string(two) {
		t.Error("the JSON differs", err1, err2)
	}
	if f, err := score.Decode(one); err != nil || f.Packages[0].Faults[0].Fault.File != "a.go" {
		t.Error(err, f.Packages)
	}
}

func TestScoreSince(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	os.WriteFile(file, []byte("// killed/test\n// killed/test\n// survived\n"), 0o666)
	for _, args := range [][]string{{"init", "-q"}, {"add", "a.go"}, {"-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "a"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	if out, _, code := scored(t, dir, "-since", "HEAD", "-min", "100"); code != 0 || !strings.Contains(out, "no faults on lines that have changed since HEAD") {
		t.Errorf("code %d:\n%s", code, out)
	}
	os.WriteFile(file, []byte("// killed/test\n// killed/panic\n// survived\n"), 0o666)
	if out, _, _ := scored(t, dir, "-since", "HEAD"); !strings.Contains(out, "\n1 fault · 1 killed") {
		t.Errorf("%s", out)
	}
	if _, errs, code := scored(t, dir, "-since", "nowhere"); code != 2 || !strings.Contains(errs, `-since: there is no revision "nowhere"`) {
		t.Errorf("code %d: %s", code, errs)
	}
}
