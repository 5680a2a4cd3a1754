//go:build go1.25

// Package last keeps the result of the last run of allele score in a folder, and the faults that the
// user has made in the source since.
//
//	last.Save(verdicts, last.Run{Dir: dir, ...})     // allele score: at its end
//	run, err := last.Find(root, dir)                 // allele score show KEY
//	last.Applied{Key: key, ...}.Save(run.Folder)     // allele score apply KEY
//	last.AllApplied(root, dir)                       // allele score undo KEY
//
// The one idea: the files are in the folder of verdicts in the work folder, and there is a work folder
// for each set of flags. So the last run is the newest file of those work folders whose command ran
// in this folder, or in one above or below it. The user need not repeat the flags.
package last

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/score"
)

const (
	folder      = "verdicts"
	runFile     = "last.json"
	appliedFile = "applied-"
)

// Run is the result of a run.
type Run struct {
	Dir   string            `json:"dir"`   // absolute, where the command ran
	Flags []string          `json:"flags"` // for the go command
	Sums  map[string]string `json:"sums"`  // file with faults -> hash of its source
	Score score.File        `json:"score"` // with absolute names of files

	Folder string `json:"-"` // where it is
}

// Applied is a fault that was made in the source.
type Applied struct {
	Dir    string `json:"dir"`
	Key    string `json:"key"`
	File   string `json:"file"` // absolute
	Before string `json:"before"`
	After  string `json:"after"`

	path string
}

// Sum returns the hash of a source.
func Sum(src []byte) string { return fmt.Sprintf("%x", sha256.Sum256(src)) }

// Save writes the result of a run to the folder of verdicts in a work folder.
func Save(work string, r Run) error { return save(filepath.Join(work, folder), runFile, r) }

func save(dir, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// ErrNone is returned if there is no last run.
var ErrNone = errors.New("no run of allele score in this folder is known")

// Find returns the last run in a folder, or in one above or below it. root is the folder of all
// work folders.
func Find(root, dir string) (r Run, err error) {
	newest := time.Time{}
	for _, file := range files(root, runFile) {
		info, err := os.Stat(file)
		if err != nil || !info.ModTime().After(newest) {
			continue
		}
		var x Run
		if read(file, &x) && related(x.Dir, dir) {
			x.Folder = filepath.Dir(file)
			r, newest = x, info.ModTime()
		}
	}
	if newest.IsZero() {
		return r, ErrNone
	}
	return r, nil
}

func files(root, name string) []string {
	all, _ := filepath.Glob(filepath.Join(root, "*", folder, name)) // the pattern is valid
	return all
}

// read reads a file as JSON. What cannot be read, or is damaged, is as if it were not there.
func read(file string, v any) bool {
	data, err := os.ReadFile(file)
	return err == nil && json.Unmarshal(data, v) == nil
}

// related reports whether one of two folders contains the other, or both are the same.
func related(a, b string) bool {
	in := func(a, b string) bool {
		r, err := filepath.Rel(a, b)
		return err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator))
	}
	return in(a, b) || in(b, a)
}

// Save writes the record of a fault that is made in the source to the folder of verdicts.
func (a Applied) Save(verdicts string) error { return save(verdicts, appliedFile+a.Key+".json", a) }

// Copy writes what was in the file before, and returns the name of the copy.
func (a Applied) Copy() (string, error) {
	path := filepath.Join(filepath.Dir(a.path), "before-"+a.Key+".go.txt")
	return path, os.WriteFile(path, []byte(a.Before), 0o666)
}

// Remove removes the record.
func (a Applied) Remove() error { return os.Remove(a.path) }

// AllApplied returns the faults that are made in the source of a folder, or of one above or below it.
func AllApplied(root, dir string) (all []Applied) {
	for _, file := range files(root, appliedFile+"*.json") {
		var a Applied
		if read(file, &a) && related(a.Dir, dir) {
			a.path = file
			all = append(all, a)
		}
	}
	return all
}
