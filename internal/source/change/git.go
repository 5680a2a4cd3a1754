//go:build go1.25

package change

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// repository is a git repository, read through the git command. The user's
// display settings (pagers, colours, renames, external diff programs) are off,
// and nothing is written, not even to the index.
type repository struct {
	dir    string // its top folder
	commit string // the commit that the present source is compared with
}

// Check returns an error if there is no git repository around dir, or no revision rev
// in it.
func Check(rev, dir string) error {
	_, err := open(dir, rev)
	return err
}

// open finds the repository around the folder dir, and the commit of the revision rev.
func open(dir, rev string) (*repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("the git command is not in PATH; install git, or run without -since")
	}
	if dir == "" {
		dir = "."
	}
	r := &repository{dir: dir}
	top, err := r.git(nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%w; -since needs a git repository around %s: use -C to choose a folder, or run without -since", err, dir)
	}
	if strings.HasPrefix(rev, "-") { // git would read it as a flag; no revision begins with a hyphen
		return nil, fmt.Errorf("%q is not a revision; want a commit, branch or tag such as HEAD~1 or origin/main", rev)
	}
	out, err := r.git(nil, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return nil, r.unknown(rev)
	}
	r.commit = strings.TrimSpace(string(out))
	r.dir, err = filepath.EvalSymlinks(filepath.FromSlash(strings.TrimRight(string(top), "\r\n")))
	return r, err
}

// unknown returns the error for a revision that does not exist. Its text suggests what
// to do.
func (r *repository) unknown(rev string) error {
	out, err := r.git(nil, "rev-parse", "--is-shallow-repository")
	if err == nil && strings.TrimSpace(string(out)) == "true" {
		return fmt.Errorf("there is no revision %q in this clone, which is shallow; run git fetch --unshallow, "+
			"or set fetch-depth: 0 in GitHub's checkout action", rev)
	}
	return fmt.Errorf("there is no revision %q in this repository; want a commit, branch or tag such as HEAD~1 or origin/main "+
		"(a branch of a remote must have been fetched)", rev)
}

// git runs the git command in the repository.
func (r *repository) git(in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"--no-pager", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir, cmd.Stdin = r.dir, in
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n") // further lines are advice about git
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, text)
	}
	return out, nil
}

// changed lists the files that differ from the commit, including untracked files.
// Names use slashes and are relative to the top folder.
func (r *repository) changed() (files []string, err error) {
	tracked, err := r.git(nil, "diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv",
		"--no-color", "--ignore-submodules=none", r.commit, "--")
	if err != nil {
		return nil, err
	}
	others, err := r.git(nil, "ls-files", "-z", "--others", "--exclude-standard", "--full-name")
	if err != nil {
		return nil, err
	}
	return append(split(tracked), split(others)...), nil
}

// known lists the files of the commit.
func (r *repository) known() ([]string, error) {
	out, err := r.git(nil, "ls-tree", "-r", "-z", "--name-only", "--full-tree", r.commit)
	return split(out), err
}

func split(out []byte) (names []string) {
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" && !strings.HasSuffix(name, "/") { // a slash marks a repository inside this one
			names = append(names, name)
		}
	}
	return names
}

// contents reads files as they were in the commit. A file that did not exist has
// no entry.
func (r *repository) contents(files []string) (map[string][]byte, error) {
	var ask strings.Builder
	var asked []string
	for _, f := range files {
		if !strings.Contains(f, "\n") { // it would split the request; no source file has such a name
			fmt.Fprintf(&ask, "%s:%s\n", r.commit, f)
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	out, err := r.git(strings.NewReader(ask.String()), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return unbatch(out, asked)
}

// unbatch parses the output of git cat-file --batch. For each requested file git prints
// a line that ends in the file's size, then the content and a newline. For a file that
// does not exist it prints a line that ends in "missing".
func unbatch(out []byte, asked []string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, f := range asked {
		line, rest, ok := bytes.Cut(out, []byte("\n"))
		if !ok {
			return nil, errors.New("git cat-file: the output is incomplete")
		}
		out = rest
		if bytes.HasSuffix(line, []byte(" missing")) {
			continue
		}
		size, err := strconv.Atoi(string(line[bytes.LastIndexByte(line, ' ')+1:]))
		if err != nil || size < 0 || size >= len(out) {
			return nil, fmt.Errorf("git cat-file: unexpected line %.80q", line)
		}
		found[f] = out[:size]
		out = out[size+1:]
	}
	return found, nil
}
