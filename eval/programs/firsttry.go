package programs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/proc/event"
)

// FirstTry runs allele run as somebody does who has read only its page: on ten programs of Debian, and with
// command lines that are wrong. No search may be ok if it has tested nothing.
var FirstTry = lab.Experiment{
	Name: "firsttry",
	Doc:  "allele run at the first try on ten programs of Debian, and with wrong command lines: what they received, and how they ended",
	Run:  runFirstTry,
}

// attempt is a command line after allele run.
type attempt struct {
	format string
	line   []string
	want   string // verdict
}

const (
	rightLine = "passed"
	wrongLine = "vacuous"
	// A program that ends well and in silence cannot be told from one that accepts every input.
	unclearLine = "passed, with a note"
)

var attempts = []attempt{
	{"sh", []string{"sh", "-n", "@@"}, rightLine},
	{"json", []string{"jq", ".", "@@"}, rightLine},
	{"json", []string{"python3", "-m", "json.tool", "@@"}, rightLine},
	{"xml", []string{"xmllint", "@@"}, rightLine},
	{"lua", []string{"lua5.1", "@@"}, rightLine},
	{"sql", []string{"sqlite3"}, rightLine},
	{"png", []string{"pngcheck", "@@"}, rightLine},
	{"zip", []string{"unzip", "-t", "@@"}, rightLine},
	{"html", []string{"tidy", "@@"}, rightLine},
	{"javascript", []string{"node", "--check", "@@"}, rightLine},
	{"sh", []string{"sh", "tool.sh", "@@"}, wrongLine}, // a script that is not in the folder of the run
	{"json", []string{"true", "@@"}, wrongLine},
	{"json", []string{"jq", "/tmp", "@@"}, wrongLine},
	{"json", []string{"python3", "-m", "json.tools", "@@"}, wrongLine},
	{"xml", []string{"xmllint"}, wrongLine},
	{"zip", []string{"unzip", "-t"}, wrongLine},
	{"sql", []string{"sqlite3", "@@"}, unclearLine},
}

// packages are the packages of Debian with the programs.
const packages = "jq python3 libxml2-utils lua5.1 sqlite3 pngcheck unzip tidy nodejs"

// quickAttempts is how many programs of each kind a quick run tries.
const quickAttempts = 1

// attemptTests is how many runs a search makes. All programs end in several ways within as many.
const attemptTests = 300

func runFirstTry(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	o, err := newOurs()
	if err != nil {
		return res, err
	}
	defer o.close()
	tried := map[string]int{}
	for i, a := range attempts {
		if cfg.Quick && tried[a.want] == quickAttempts {
			continue
		}
		path, err := debian(a.line[0])
		if err != nil {
			if !cfg.Quick {
				return res, fmt.Errorf("%w: it needs Debian, and apt-get install %s", err, packages)
			}
			cfg.Logf("%v", err)
			continue
		}
		row, err := a.run(o, filepath.Join(o.temp, strconv.Itoa(i)), path)
		if row != nil {
			res.Rows = append(res.Rows, row)
		}
		if err != nil {
			return res, fmt.Errorf("%s: %w", strings.Join(a.line, " "), err)
		}
		tried[a.want]++
		cfg.Logf("%s: done", strings.Join(a.line, " "))
	}
	if tried[rightLine] == 0 || tried[wrongLine] == 0 {
		return res, fmt.Errorf("no program could be run with a right, or with a wrong command line: %v", tried)
	}
	return res, nil
}

// debianPath is where the programs of Debian are, before others of the same name.
const debianPath = "/usr/bin:/bin"

// debian finds a program of Debian.
func debian(name string) (string, error) {
	for _, dir := range strings.Split(debianPath, ":") {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed", name)
}

// run makes a search in an empty folder. The program is called by a script of the same name, which records its arguments.
func (a attempt) run(o *ours, temp, program string) (lab.Row, error) {
	bin, record := filepath.Join(temp, "bin"), filepath.Join(temp, "received")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return nil, err
	}
	script := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s ] || for a; do printf '%%s\\n' \"$a\"; done > %[1]s\nexec %[2]s \"$@\"\n", record, program)
	if err := os.WriteFile(filepath.Join(bin, a.line[0]), []byte(script), 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(temp, "tool.sh"), []byte("cat \"$1\"\n"), 0o666); err != nil {
		return nil, err
	}
	cmd := o.firstTry(a, filepath.Join(temp, "findings"))
	cmd.Dir = temp
	cmd.Env = append(cmd.Env, "PATH="+bin+":"+debianPath+":"+os.Getenv("PATH"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	end, err := lastEvent(out)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	received, err := os.ReadFile(record)
	if err != nil {
		return nil, err
	}
	got := append([]string{a.line[0]}, strings.FieldsFunc(string(received), func(c rune) bool { return c == '\n' })...)
	shown := slices.Clone(got)
	for i, arg := range got {
		got[i], shown[i] = inputFile.ReplaceAllString(arg, "@@"), inputFile.ReplaceAllString(arg, ".../input$1")
	}
	row := lab.Row{lab.Col("typed", strings.Join(a.line, " ")), lab.Col("format", a.format), lab.Col("received", strings.Join(shown, " ")),
		lab.Col("runs", end.Counts.Runs), lab.Col("distinct endings", end.Counts.Paths), lab.Col("verdict", end.verdict())}
	if err := a.check(got, end); err != nil {
		return row, fmt.Errorf("%w\n%s", err, reports(filepath.Join(temp, "findings")))
	}
	return row, nil
}

// reports returns the reports of the findings.
func reports(findings string) (all string) {
	files, _ := filepath.Glob(filepath.Join(findings, "*", "report.txt")) // the pattern is valid
	for _, file := range files {
		text, _ := os.ReadFile(file) // shown as far as it is there
		all += string(text)
	}
	return all
}

// firstTry returns the command.
func (o *ours) firstTry(a attempt, findings string) *exec.Cmd {
	line := []string{"run", "-format", a.format, "-tests", strconv.Itoa(attemptTests), "-seed", "1", "-workers", "1", "-json",
		"-sources", o.sources, "-o", findings, "--"}
	cmd := exec.Command(o.command, append(line, a.line...)...)
	cmd.Env = o.environ()
	return cmd
}

// inputFile matches the name of the file with the input.
var inputFile = regexp.MustCompile(`^/.*/allele-programs-[^/]*/run/input(\.\w+)?$`)

// ending is the result of a search.
type ending event.Finished

func (e ending) verdict() string {
	if len(e.Notes) > 0 && e.Verdict == rightLine {
		return unclearLine
	}
	return string(e.Verdict)
}

func lastEvent(events []byte) (end ending, err error) {
	for e := range event.Read(bytes.NewReader(events)) {
		if f, ok := e.Body.(event.Finished); ok {
			end = ending(f)
		}
	}
	if end.Counts.Runs == 0 {
		return end, fmt.Errorf("allele run reports no runs\n%s", events)
	}
	return end, nil
}

// check fails if the program received something else, or if a search is ok that has tested nothing. A search that finds a
// failure has tested something.
func (a attempt) check(got []string, end ending) error {
	switch {
	case !slices.Equal(got, a.line):
		return fmt.Errorf("the program received %q", got)
	case end.verdict() != a.want && !(a.want == rightLine && end.Verdict == "failed"):
		return fmt.Errorf("the verdict is %s, want %s", end.verdict(), a.want)
	case a.want == rightLine && end.Counts.Paths < 2:
		return fmt.Errorf("all %d runs ended in the same way", end.Counts.Runs)
	}
	return nil
}
