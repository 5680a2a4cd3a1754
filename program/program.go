//go:build go1.25

// Package program runs programs in any language as a part of a property: an image viewer, an
// interpreter, a compiler.
//
//	var viewer = program.Program{Args: []string{"pngcheck", "@@"}, Suffix: ".png"}
//
//	func TestViewer(t *testing.T) {
//		defer viewer.Close()
//		allele.Check(t, func(t *allele.T, data []byte) { viewer.Check(t, data) }, allele.Through(encode))
//	}
//
// Each run gets its input in a file, whose name replaces @@, or on its standard input. It has
// a process group, a folder and limits of its own. When it is over, its processes are killed
// and the folder is emptied, whatever the program has done.
//
// A program that was compiled with afl-cc, the compiler of AFL++, reports which edges of its
// code a run has taken. These guide the search, as the paths through Go code do. Such a program
// also forks for each run, or makes many runs in one process, instead of starting again. A Go
// program that was built with allele build reports which branches of its code a run has taken.
// With any other program, only its exit codes and the words that it prints guide the search.
package program

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/outside"
)

// Program is a program that reads an input. Its fields must not change after the first run.
// A Program makes one run at a time. Several Programs may run side by side, also in one run of a
// property, and then all of them guide the search.
type Program struct {
	// Args is the name of the program and its arguments. In each argument, @@ is replaced by
	// the name of the file with the input. Without @@ the program reads its standard input.
	Args []string
	// Suffix is the end of the name of the input file, such as ".png".
	Suffix string
	// Env is variables that are added to the environment of this process, as KEY=value.
	Env []string
	// Timeout is how long a run may take. 0 means TimeoutDefault.
	Timeout time.Duration
	// Memory is how many bytes of address space a run may have. 0 means no limit. A program
	// with a sanitizer needs terabytes.
	Memory int64
	// Disk is how many bytes a run may write to files. 0 means DiskDefault.
	Disk int64
	// Failed decides whether a run has failed. nil means the rule of the QuickFuzz paper, see Result.Crashed.
	Failed func(Result) bool
	// Plain starts a process for each run, even of a program that was compiled with afl-cc.
	Plain bool

	mu       sync.Mutex
	folder   folder
	server   *server // nil before the first run, and for programs without a fork server
	counts   *shared // where a program that was built with allele build counts its hits
	path     string  // of the program
	kind     kind
	err      error // why the program cannot be run
	leftover leftover
	watcher  watcher
	reading  reading

	allowed time.Duration // how long the current run may take
	places  []uint32      // what the last run has reached, as in package outside
}

const (
	TimeoutDefault = 5 * time.Second
	DiskDefault    = 64 << 20
)

// Run runs the program on an input. The error says that it cannot be run at all.
func (p *Program) Run(input []byte) (Result, error) { return p.RunWithin(0, input) }

// RunWithin is Run with a shorter time limit for this run. 0, or more than Timeout, means Timeout.
func (p *Program) RunWithin(limit time.Duration, input []byte) (Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.prepare(); err != nil {
		return Result{}, err
	}
	if p.allowed = p.timeout(); limit > 0 {
		p.allowed = min(limit, p.allowed)
	}
	run, recorded := outside.Current()
	r, err := p.once(input)
	if errors.Is(err, fs.ErrNotExist) && p.folder.gone() {
		p.close()
		if err = p.prepare(); err == nil {
			r, err = p.once(input)
		}
	}
	if err != nil {
		return Result{}, err
	}
	if recorded && r.Stopped == OutOfTime && p.allowed < p.timeout() {
		outside.AddEarly(run, sourceOf(p.path), p.places)
	} else if recorded {
		outside.Add(run, sourceOf(p.path), p.places)
	}
	return r, nil
}

// once makes a run.
func (p *Program) once(input []byte) (r Result, err error) {
	if err := p.folder.write(input); err != nil {
		return Result{}, fmt.Errorf("program: %w", err)
	}
	if p.kind.forks && !p.Plain {
		r, err = p.serve(input)
	} else {
		r, err = p.start()
	}
	if err != nil {
		return Result{}, fmt.Errorf("program: cannot run %s: %w", p.Args[0], err)
	}
	p.finish(&r)
	return r, nil
}

// Check runs the program on an input, and fails the test if the run has failed. Failures of
// different kinds, or with different stacks, are different findings.
func (p *Program) Check(t testing.TB, input []byte) {
	t.Helper()
	r, err := p.Run(input)
	if err != nil {
		t.Fatal(err)
	}
	outside.Of(t.Context()).Add(outside.Ending{Program: filepath.Base(p.Args[0]), Command: outside.CommandLine(p.Args),
		Code: r.Code, Output: r.Stdout + r.Stderr, Unread: r.Unread,
		Advice: "Correct the Args of the Program, or accept a vacuous test: add allele.AllowVacuous()"})
	if p.failed(r) {
		t.Fatal(&Failure{Name: filepath.Base(p.Args[0]), Result: r})
	}
}

// Guided reports whether the program tells which code its runs reach. It is known after the first run.
func (p *Program) Guided() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kind.counts > 0 || p.kind.forks
}

// edges reports whether runs tell which code they reach.
func (p *Program) edges() bool { return p.kind.counts > 0 || p.kind.forks && !p.Plain }

// Close ends the processes of the program, and removes its files. The program can be run again.
func (p *Program) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
	p.sweep(true)
}

func (p *Program) close() {
	p.server.close()
	p.server = nil
	p.counts = p.counts.close()
	p.folder.remove()
}

func (p *Program) failed(r Result) bool {
	if p.Failed != nil {
		return p.Failed(r)
	}
	return r.Crashed()
}

func (p *Program) timeout() time.Duration {
	if p.Timeout <= 0 {
		return TimeoutDefault
	}
	return p.Timeout
}

func (p *Program) disk() int64 {
	if p.Disk <= 0 {
		return DiskDefault
	}
	return p.Disk
}

// prepare finds the program, and creates the folder of its runs.
func (p *Program) prepare() error {
	if p.err != nil {
		return p.err
	}
	if p.path == "" {
		p.path, p.kind, p.err = find(p.Args)
		if p.err != nil {
			return p.err
		}
		p.sweep(true)
	}
	if p.folder.path != "" {
		return nil
	}
	p.reading = reading{}
	return p.folder.create(p.Suffix, p.Args)
}

// finish reads the output of a run, and empties its folder.
func (p *Program) finish(r *Result) {
	edges, odd := p.edges(), r.Code != 0 || r.Stopped != NotStopped
	r.Stdout, r.Stderr = p.folder.output(!edges || odd || p.Failed != nil)
	r.read()
	if !edges {
		p.places = r.words(p.places[:0])
	}
	p.folder.clean(odd || p.server == nil)
	p.sweep(false)
}

// sources has a number for each program that was run, so that the places of different programs are different. The
// same program with other arguments has the same code.
var sources struct {
	sync.Mutex
	of map[string]int
}

func sourceOf(path string) int {
	sources.Lock()
	defer sources.Unlock()
	n, ok := sources.of[path]
	if !ok {
		if n = len(sources.of); n == 0 {
			sources.of = map[string]int{}
		}
		sources.of[path] = n
	}
	return n
}

var errNoProgram = errors.New("program: Args is empty: it needs the name of a program and its arguments")

// folder is the files of a program: the input, in the folder that is the working folder of
// the runs, and what they print.
type folder struct {
	path  string
	input *os.File // the program reads it, if it reads its standard input
	out   [2]*os.File
	file  string
	args  []string // with the name of the input file
	runs  int
}

// folderPrefix is how the names of folders begin. The process that has created the folder follows.
// A version that expects another form of the rest would remove a folder that is in use, so another form needs another prefix.
const folderPrefix = "allele-programs-"

// gone reports whether somebody has removed the folder, such as a job that cleans the folder for temporary files.
func (f *folder) gone() bool {
	_, err := os.Stat(filepath.Dir(f.file))
	return errors.Is(err, fs.ErrNotExist)
}

// removeOld removes the folders of processes that were killed.
func removeOld() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*-*")) // without a result, nothing is removed
	for _, dir := range left {
		name, _, ok := strings.Cut(strings.TrimPrefix(filepath.Base(dir), folderPrefix), "-")
		if ok && ownerGone(name) {
			removeAll(dir)
		}
	}
}

// outputMax is how many bytes of each output of a run are read: the last ones.
const outputMax = 64 << 10

// cleanEvery is after how many runs that passed the folder is looked at.
const cleanEvery = 64

func (f *folder) create(suffix string, args []string) (err error) {
	removeOld()
	dir, err := os.MkdirTemp("", folderPrefix+owner()+"-")
	if err != nil {
		return fmt.Errorf("program: %w", err)
	}
	*f = folder{path: dir, file: filepath.Join(dir, "run", "input"+suffix)}
	defer func() {
		if err != nil {
			f.remove()
			err = fmt.Errorf("program: %w", err)
		}
	}()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o777); err != nil {
		return err
	}
	for i, name := range []string{"stdout", "stderr"} {
		if f.out[i], err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666); err != nil {
			return err
		}
	}
	if f.args = replaced(args, f.file); f.args == nil {
		f.args = args
		f.input, err = os.OpenFile(f.file, os.O_CREATE|os.O_RDWR, 0o666)
	}
	return err
}

// replaced returns the arguments with the name of the input file, or nil if none contains @@.
func replaced(args []string, file string) []string {
	all := make([]string, len(args))
	found := false
	for i, a := range args {
		found = found || i > 0 && strings.Contains(a, "@@")
		if all[i] = a; i > 0 {
			all[i] = strings.ReplaceAll(a, "@@", file)
		}
	}
	if !found {
		return nil
	}
	return all
}

// write writes the input of the next run.
func (f *folder) write(input []byte) error {
	if f.input == nil {
		return f.replace(input)
	}
	if _, err := f.input.WriteAt(input, 0); err != nil {
		return err
	}
	if err := f.input.Truncate(int64(len(input))); err != nil {
		return err
	}
	_, err := f.input.Seek(0, 0)
	return err
}

// replace writes the input to the file of the input, or to a new one: the program may have replaced it by anything,
// such as a link to another file. A file that is opened empty would be written to the disk when it is closed, by ext4.
func (f *folder) replace(input []byte) error {
	file, err := os.OpenFile(f.file, os.O_WRONLY|noFollow, 0)
	info, e := stater(file, err)
	if e == nil && info.Mode().IsRegular() && info.Size() > int64(len(input)) {
		e = file.Truncate(int64(len(input)))
	}
	if e != nil || !info.Mode().IsRegular() {
		file.Close() // fails if there is none
		os.RemoveAll(f.file)
		file, err = os.OpenFile(f.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(input)
	return errors.Join(err, file.Close())
}

func stater(file *os.File, err error) (os.FileInfo, error) {
	if err != nil {
		return nil, err
	}
	return file.Stat()
}

// output returns what the last run has printed: the end of its standard output, and of its
// standard error. Without all, it returns standard error only.
func (f *folder) output(all bool) (stdout, stderr string) {
	var text [2]string
	for i, file := range f.out {
		info, err := file.Stat()
		if err != nil || info.Size() == 0 {
			continue
		}
		if all || i == 1 {
			b := make([]byte, min(info.Size(), outputMax))
			n, _ := file.ReadAt(b, info.Size()-int64(len(b)))
			text[i] = string(b[:n])
		}
		file.Truncate(0)
	}
	return text[0], text[1]
}

// clean removes what the runs have left in their folder.
func (f *folder) clean(now bool) {
	if f.runs++; !now && f.runs%cleanEvery != 0 {
		return
	}
	dir := filepath.Dir(f.file)
	entries, err := os.ReadDir(dir)
	if err != nil { // the program has removed its folder, or has made it unreadable
		os.Chmod(dir, 0o777)
		os.MkdirAll(dir, 0o777)
		entries, _ = os.ReadDir(dir)
	}
	for _, e := range entries {
		if file := filepath.Join(dir, e.Name()); file != f.file || !e.Type().IsRegular() {
			removeAll(file)
		}
	}
}

// removeAll removes a file, even from folders that are not writable.
func removeAll(path string) {
	if os.RemoveAll(path) == nil {
		return
	}
	filepath.WalkDir(path, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o777)
		}
		return nil
	})
	os.RemoveAll(path)
}

func (f *folder) remove() {
	if f.path == "" {
		return
	}
	for _, file := range append(f.out[:], f.input) {
		if file != nil {
			file.Close()
		}
	}
	removeAll(f.path)
	*f = folder{}
}
