// Package containers uses containers of published modules as inputs of properties that hold, in
// plain go test and without a declaration. The property is in the package of the container, as its
// author would write it. Unexported fields are filled there, so the property may fail for a value
// that the package never makes. The experiment counts such false failures, and checks that each has
// a note with a declaration that compiles, and that the property passes with it.
package containers

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment fails if a false failure has no note, or if its advice does not help.
var Experiment = lab.Experiment{
	Name: "containers",
	Doc:  "containers of published modules as inputs without a declaration: false failures, and what following their notes gives",
	Run:  run,
}

func run(cfg lab.Config) (*lab.Result, error) {
	dir, release, err := foreign.Hold("containers", "all")
	if err != nil {
		return nil, err
	}
	defer release()
	cache, err := foreign.Go(dir, nil, "env", "GOCACHE")
	if err != nil {
		return nil, err
	}
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{}}
	failures, noted, helped := 0, 0, 0
	for _, c := range all {
		if cfg.Quick && !c.quick || !only(c.Path+" "+c.folder) {
			continue
		}
		cfg.Logf("%s %s %s", c.Path, c.folder, c.typ)
		o, err := visit(filepath.Join(dir, "module"), strings.TrimSpace(cache), c)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", c.Path, c.folder, err)
		}
		res.Rows = append(res.Rows, o.row(c))
		if o.failed {
			failures++
			noted += count(o.noted)
			helped += count(o.helped)
		}
	}
	if len(res.Rows) == 0 {
		return nil, errors.New("no container was used")
	}
	res.Summary["containers"], res.Summary["false failures"] = len(res.Rows), failures
	res.Summary["with a note"], res.Summary["passes with its declaration"] = noted, helped
	if noted < failures || helped < noted {
		return res, fmt.Errorf("%d false failures, %d with a note, %d pass with its declaration", failures, noted, helped)
	}
	return res, nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// outcome is what happened with a container.
type outcome struct {
	failed bool
	noted  bool
	advice string
	helped bool // the property passes with the advice

	methods string // what happens if only the methods are declared, which begin with the zero value
}

func (o outcome) row(c container) lab.Row {
	first, second := "passes", ""
	if o.failed {
		first, second = "fails, without a note", "-"
	}
	if o.noted {
		first, second = "fails, with a note", "fails"
	}
	if o.helped {
		second = "passes"
	}
	return lab.Row{lab.Col("module", strings.TrimSuffix(c.Path+"/"+c.folder, "/")), lab.Col("input", c.typ),
		lab.Col("no declaration", first), lab.Col("with its declaration", second),
		lab.Col("with its methods only", cmp.Or(o.methods, "-")), lab.Col("declaration", o.advice)}
}

const text = `%spackage %s

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestContainer(t *testing.T) {
	allele.Check(t, func(t *allele.T, in %s) {
		%s
	}%s)
}
`

// write writes the file that the author of the package adds.
func write(src string, c container, options string) error {
	constraint, body := "", c.body
	if c.old {
		constraint = "//go:build go1.18\n\n"
	}
	if strings.HasPrefix(c.typ, "*") {
		body = "if in == nil {\n\treturn\n}\n" + body
	}
	content := fmt.Sprintf(text, constraint, c.pkg, c.typ, strings.ReplaceAll(body, "\n", "\n\t\t"), options)
	return os.WriteFile(filepath.Join(src, filepath.FromSlash(c.folder), "zz_added_test.go"), []byte(content), 0o666)
}

var advised = regexp.MustCompile(`(?m)^ +declare (allele\.Builder\(.*\))(?:, or run: .*)?$`)

func visit(dir, cache string, c container) (o outcome, err error) {
	if err := os.RemoveAll(dir); err != nil { // what a run that was killed has left
		return o, err
	}
	defer os.RemoveAll(dir)
	src := filepath.Join(dir, "src")
	if err := c.Copy(src); err != nil {
		return o, err
	}
	env := append(foreign.Env(cache), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	if err := foreign.Require(src, env); err != nil {
		return o, err
	}
	if err := write(src, c, ""); err != nil {
		return o, err
	}
	if _, err := foreign.Go(src, env, "list", "-deps", "-test", "./"+c.folder); err != nil { // downloads, and completes go.sum
		return o, err
	}
	out, passed, err := goTest(src, env, c)
	if err != nil || passed {
		return o, err
	}
	if strings.Contains(out, "vacuous: ") {
		return o, errors.New(out)
	}
	o.failed = true
	if o.noted = strings.Contains(out, " was made by fields"); !o.noted {
		return o, nil
	}
	var options, methods string
	for _, m := range advised.FindAllStringSubmatch(out, -1) {
		o.advice = strings.TrimPrefix(o.advice+", "+m[1], ", ")
		options += ", " + m[1]
		for _, method := range ofMethod.FindAllString(m[1], -1) {
			methods += ", " + method
		}
	}
	if methods != "" {
		out, passed, err := again(src, env, c, methods)
		if o.methods = "passes"; err != nil {
			return o, err
		} else if !passed {
			o.methods = "fails"
		}
		if strings.Contains(out, "vacuous: ") {
			o.methods = "makes nothing"
		}
	}
	if options == "" {
		return o, nil
	}
	out, o.helped, err = again(src, env, c, options)
	if strings.Contains(out, "vacuous: ") {
		return o, errors.New(out)
	}
	return o, err
}

// ofMethod matches the declaration of a method.
var ofMethod = regexp.MustCompile(`allele\.Builder\(\(\*[^)]*\)\.\w+(, allele\.Partial\{[^)]*\})?\)`)

// again runs the property with options, without the case that it has stored.
func again(src string, env []string, c container, options string) (out string, passed bool, err error) {
	if err := write(src, c, options); err != nil {
		return "", false, err
	}
	if err := os.RemoveAll(filepath.Join(src, filepath.FromSlash(c.folder), "testdata", "allele")); err != nil {
		return "", false, err
	}
	return goTest(src, env, c)
}

// goTest runs the property, without vet: the tests of the module may be older than its checks. An
// error is anything but a test that passes, fails, dies or does not compile.
func goTest(src string, env []string, c container) (out string, passed bool, err error) {
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-run", "^TestContainer$", "./"+c.folder)
	cmd.Dir, cmd.Env = src, append(os.Environ(), env...)
	data, err := cmd.CombinedOutput()
	if err == nil {
		return string(data), true, nil
	}
	if !strings.Contains(string(data), "FAIL\t") {
		return "", false, fmt.Errorf("%w\n%s", err, data)
	}
	return string(data), false, nil
}
