package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/e2e/page"
	"github.com/allele-go/allele/internal/testkit"
)

// commandLimit bounds a command that never ends.
const commandLimit = 5 * time.Minute

// A desk is what all pages share: the repository, and the environment of commands.
type desk struct {
	root, goroot string
	env          []string
}

func newDesk(t *testing.T) desk {
	dirs := strings.Fields(goEnv(t, "GOCACHE", "GOMODCACHE", "GOROOT"))
	env := []string{"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off"}
	// The go command leaves a process behind that writes to its home, so that is not a folder of one test.
	env = append(env, "HOME="+filepath.Join(bin, "home"))
	return desk{testkit.Root(t), dirs[2], append(env, "GOFLAGS=-vet=off", "GOTRACEBACK=", "PATH="+os.Getenv("PATH"))}
}

// A reader does the steps of one page in order. A step that goes wrong is a problem, and
// the reader goes on.
type reader struct {
	desk
	t        *testing.T
	name     string // of the page
	temp     string
	update   bool
	problems []string

	module    string            // path of the current module
	dir, cwd  string            // its folder, and where commands run
	fragments map[string]string // files of fragments, by name below dir, not written yet
	modules   int
	code      bool // the module has Go files
}

// read does what a page says. It returns the page with the outputs that it should show,
// and what is wrong with it; with update, outputs that differ are not wrong.
func (d desk) read(t *testing.T, name, text string, update bool) (got string, problems []string) {
	r := &reader{desk: d, t: t, name: name, temp: t.TempDir(), update: update}
	p, err := page.Parse(text)
	if err != nil {
		return text, []string{fmt.Sprintf("%s: %v", name, err)}
	}
	r.env = append(slices.Clip(r.env), "XDG_CACHE_HOME="+filepath.Join(r.temp, ".cache"))
	r.start("example.com/" + strings.ToLower(strings.TrimSuffix(path.Base(name), ".md")))
	for i := range p.Steps {
		step := &p.Steps[i]
		if err := r.step(step); err != nil {
			r.problem(step.Line, "%v", err)
		}
	}
	r.finish()
	t.Logf("%s: %d steps, %d blocks of text are not compared", name, len(p.Steps), p.Uncompared)
	return p.String(), r.problems
}

func (r *reader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf("%s:%d: ", r.name, line)+fmt.Sprintf(format, args...))
}

func (r *reader) step(s *page.Step) error {
	switch s.Kind {
	case page.Module:
		r.finish()
		r.start(s.Name)
	case page.File:
		code, err := s.Text, error(nil)
		if path.Ext(s.Name) == ".go" {
			old, missing := os.ReadFile(filepath.Join(r.dir, s.Name))
			if missing == nil && !packageClause.MatchString(code) {
				if code, err = page.Replace(string(old), code); err != nil {
					return fmt.Errorf("%s: %w", s.Name, err)
				}
			} else if code, err = (page.Source{Package: r.pkg(), Code: code}).File(); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		return r.write(s.Name, code)
	case page.Fragment:
		return r.fragment(s)
	case page.Edit:
		text, err := os.ReadFile(filepath.Join(r.dir, s.Name))
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), s.Old); n != 1 {
			return fmt.Errorf("edit %s: %q occurs %d times in it, want once", s.Name, s.Old, n)
		}
		return r.write(s.Name, strings.Replace(string(text), s.Old, s.New, 1))
	case page.Run:
		return r.run(s)
	}
	return nil
}

// start makes a fresh module that takes the library and the command from the repository.
func (r *reader) start(module string) {
	r.modules++
	r.module, r.fragments, r.code = module, map[string]string{}, false
	r.dir = filepath.Join(r.temp, fmt.Sprint(r.modules), path.Base(module))
	r.cwd = r.dir
	mod := "module %s\n\ngo 1.25\n\nrequire %s v0.0.0\n\nreplace %[2]s => %s\n\ntool %[2]s/cmd/allele\n"
	if err := r.write("go.mod", fmt.Sprintf(mod, module, modulePath, r.root)); err != nil {
		r.t.Fatal(err)
	}
}

// finish vets the module as it is in the end, with the fragments, each in a folder of its own.
func (r *reader) finish() {
	for name, text := range r.fragments {
		if err := r.write(name, text); err != nil {
			r.t.Fatal(err)
		}
	}
	if r.cwd = r.dir; !r.code {
		return
	}
	if out, err := r.exec(nil, "go", "vet", "./..."); err != nil {
		out = vetNoise.ReplaceAllString(out, "")
		r.problems = append(r.problems, fmt.Sprintf("%s: module %s, with fragments: go vet: %v\n%s", r.name, r.module, err, out))
	}
}

// vetNoise is what go vet prints about packages of fragments; the lines name the page.
var vetNoise = regexp.MustCompile(`(?m)^# .*\n|(^vet: )?\bfragment\d+/`)

// pkg returns the name of the package in the module's folder.
func (r *reader) pkg() string {
	for _, text := range r.files() {
		if m := packageClause.FindStringSubmatch(text); m != nil && !strings.HasSuffix(m[1], "_test") {
			return m[1]
		}
	}
	return path.Base(r.module)
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// files returns the Go files in the module's folder, by name.
func (r *reader) files() map[string]string {
	files := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(r.dir, "*.go"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			r.t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

// fragment puts code into a package of its own, beside the files that the module has now.
func (r *reader) fragment(s *page.Step) error {
	code, err := page.Source{Package: r.pkg(), Code: s.Text, Params: s.Name, At: fmt.Sprintf("%s:%d", path.Base(r.name), s.Line)}.File()
	if err != nil {
		return fmt.Errorf("this is neither declarations nor statements nor options: %w", err)
	}
	folder := fmt.Sprintf("fragment%d/", s.Line)
	r.fragments[folder+"fragment_test.go"] = code
	for name, text := range r.files() {
		if text = page.Around(text, code); text != "" {
			r.fragments[folder+name] = text
		}
	}
	return nil
}

// run runs a command of the page and compares its output.
func (r *reader) run(s *page.Step) error {
	words, err := page.Split(s.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Text, err)
	}
	out, err := r.command(words)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("%s: %w", s.Text, err)
	}
	out = strings.NewReplacer(r.dir, "/home/you/"+filepath.Base(r.dir), r.temp, "/home/you", r.root, "/home/you/allele", r.goroot, "/usr/local/go").Replace(out)
	if !s.Silent {
		old := s.Shown
		s.Shown = page.Merge(old, page.Lines(out))
		if diff := testkit.Diff(strings.Join(old, "\n")+"\n", strings.Join(s.Shown, "\n")+"\n"); diff != "" && !r.update {
			r.problem(s.Line, "%s: the output differs (- page, + got):\n%s", s.Text, diff)
		}
	}
	switch fails := s.Fails || page.ShowsFailure(s.Shown); {
	case fails && err == nil:
		return fmt.Errorf("%s: it passed, but the page shows a failure or has <!-- fails --> before the block\n%s", s.Text, out)
	case !fails && err != nil:
		return fmt.Errorf("%s: %w, but the page does not show a failure (if it is meant: <!-- fails --> before the block)\n%s", s.Text, err, out)
	}
	return nil
}

// command runs what a page may say: the go command, and a few commands that are done here.
func (r *reader) command(words []string) (out string, err error) {
	var env []string
	for len(words) > 0 && strings.HasPrefix(words[0], "ALLELE_") {
		env, words = append(env, words[0]), words[1:]
	}
	line := strings.Join(words, " ")
	switch name, _, _ := strings.Cut(line, " "); {
	case line == "":
		return "", errors.New("no command")
	case name == "cd" && len(words) == 2:
		return "", r.chdir(words[1])
	case name == "cat":
		for _, file := range words[1:] {
			text, err := os.ReadFile(filepath.Join(r.cwd, file))
			if err != nil {
				return out, err
			}
			out += string(text)
		}
		return out, nil
	case name == "ls" && len(words) <= 2:
		entries, err := os.ReadDir(filepath.Join(append([]string{r.cwd}, words[1:]...)...))
		for _, e := range entries {
			out += e.Name() + "\n"
		}
		return out, err
	case name == "git" && len(words) > 1 && slices.Contains([]string{"init", "add", "commit"}, words[1]):
		who := []string{"-c", "user.name=you", "-c", "user.email=you@example.com", "-c", "init.defaultBranch=main"}
		return r.exec(env, "git", append(who, words[1:]...)...)
	case name == "gcc" || name == "sh" && len(words) == 2:
		return r.exec(env, name, words[1:]...)
	case line == "rm -r testdata":
		return "", os.RemoveAll(filepath.Join(r.dir, "testdata"))
	case line == "go get "+modulePath, line == "go get -tool "+modulePath+"/cmd/allele":
		return "", nil // every module has both from the start; gettool.txt runs the real command
	case strings.HasPrefix(line, "go get ") && len(words) == 3 && words[2] == protobufPath:
		return "", r.require(protobufPath)
	case strings.HasPrefix(line, "go mod init ") && len(words) == 4:
		r.finish()
		r.start(words[3])
		return "go: creating new go.mod: module " + r.module, nil
	case strings.HasPrefix(line, "go tool allele"):
		return r.exec(env, filepath.Join(bin, "allele"), shortened(words[3:])...)
	case len(words) > 1 && name == "go" && slices.Contains(goCommands, words[1]):
		return r.exec(env, "go", shortened(words[1:])...)
	}
	return "", fmt.Errorf("not a command of pages; there are cat, cd, gcc, ls, rm -r testdata, sh FILE, git init, add and commit, go get and go mod init, and go with %s", strings.Join(goCommands, ", "))
}

var goCommands = []string{"build", "doc", "list", "run", "test", "tool", "vet"}

// protobufPath is a module that a page may require. Module e2e requires it too, so it needs no download.
const protobufPath = "google.golang.org/protobuf"

// require adds a requirement of this module to that of the page.
func (r *reader) require(module string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		ours, err := os.ReadFile(filepath.Join(r.root, "e2e", name))
		if err != nil {
			return err
		}
		theirs, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		text := string(theirs)
		for line := range strings.Lines(string(ours)) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, module+" ") {
				continue
			}
			if name == "go.mod" {
				line = "\nrequire " + line
			}
			text += line + "\n"
		}
		if err := r.write(name, text); err != nil {
			return err
		}
	}
	return nil
}

// shortened returns the arguments with every time budget replaced by one second: the command
// must be valid, but the test need not wait as long as a reader.
func shortened(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if name, _, ok := strings.Cut(arg, "="); ok && (name == "-for" || name == "-allele.for") {
			args[i] = name + "=1s"
		} else if i > 0 && args[i-1] == "-for" {
			args[i] = "1s"
		}
	}
	return args
}

func (r *reader) exec(env []string, name string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(r.t.Context(), commandLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	if path.Base(name) == "allele" {
		cmd.Args[0] = "/go-build1/b001/exe/allele" // as go tool calls it, so that its messages say go tool
	}
	cmd.Dir, cmd.Env = r.cwd, append(slices.Clip(r.env), append(env, "PWD="+r.cwd)...)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	r.t.Logf("%.1fs %s %s", time.Since(begin).Seconds(), path.Base(name), strings.Join(args, " "))
	if ctx.Err() != nil {
		err = fmt.Errorf("it did not end within %v", commandLimit)
	}
	return string(out), err
}

// chdir enters a folder of the module. The module's own name stands for its folder, as
// behind a command that has made it.
func (r *reader) chdir(folder string) error {
	dir := filepath.Join(r.cwd, folder)
	if _, err := os.Stat(dir); err != nil && folder == filepath.Base(r.dir) {
		dir = r.dir
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !strings.HasPrefix(dir+"/", r.dir+"/") {
		return fmt.Errorf("%s is not a folder of the module", folder)
	}
	r.cwd = dir
	return nil
}

func (r *reader) write(name, text string) error {
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	r.code = r.code || path.Ext(name) == ".go"
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}
