package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/report"
)

// Cases are written to packages of the module, and nowhere else; a file that exists is never overwritten.
func TestWriteCases(t *testing.T) {
	module := t.TempDir()
	if real, err := filepath.EvalSymlinks(module); err == nil {
		module = real
	}
	for name, text := range map[string]string{"go.mod": "module example.com/tree\n\ngo 1.25\n", "tree.go": "package tree\n",
		"leaf/leaf.go": "package leaf\n", "leaf/testdata/allele/TestMine/fail-1.case": "mine"} {
		file := filepath.Join(module, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	one := func(pkg, property, file string) *report.Failure {
		return &report.Failure{Package: pkg, Property: property, File: file, Case: []byte("theirs")}
	}
	all := []*report.Failure{
		one("example.com/tree", "TestA", "testdata/allele/TestA/fail-1.case"),
		one("example.com/tree/leaf", "TestB", "testdata/allele/TestB/fail-1.case"),
		one("example.com/tree/leaf", "TestMine", "testdata/allele/TestMine/fail-1.case"),
		one("fmt", "TestC", "testdata/allele/TestC/fail-1.case"),
		one("example.com/other", "TestD", "testdata/allele/TestD/fail-1.case"),
		one("-toolexec=false", "TestE", "testdata/allele/TestE/fail-1.case"),
		one("../../etc", "TestF", "testdata/allele/TestF/fail-1.case"),
		one("example.com/tree", "TestG", ""),
	}
	for _, want := range []string{"wrote 2 cases, 0 were there already", "wrote 0 cases, 2 were there already"} {
		var b strings.Builder
		if err := writeCases(&call{Context: context.Background(), stdout: &b, stderr: io.Discard}, module, all); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, want) || strings.Count(text, "its case is not written") != 5 || !strings.Contains(text, "TestG: it has no case") {
			t.Errorf("wanted %q and 5 cases that are not written:\n%s", want, text)
		}
	}
	for name, want := range map[string]string{"testdata/allele/TestA/fail-1.case": "theirs",
		"leaf/testdata/allele/TestB/fail-1.case": "theirs", "leaf/testdata/allele/TestMine/fail-1.case": "mine"} {
		if got, err := os.ReadFile(filepath.Join(module, filepath.FromSlash(name))); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

// A user is named by the beginning that status shows, if only one has it.
func TestOneUser(t *testing.T) {
	users := []access.User{{ID: "UAAAAAABBBBBB1"}, {ID: "UAAAAAABBBBBB2"}, {ID: "UCCCCCCDDDDDD"}}
	for text, want := range map[string]string{"UCCCCCC": "UCCCCCCDDDDDD", "UAAAAAABBBBBB1": "UAAAAAABBBBBB1", "UAAAAAAB": "", "UCC": "", "": "", "X": ""} {
		if got, err := oneUser(users, text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

// Two servers in one folder destroy its store, so the second is refused. The lock ends with its server.
func TestLockServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	unlock, err := lockServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockServer(dir); err == nil || !strings.Contains(err.Error(), "another server runs in the folder "+dir) {
		t.Errorf("a second server: %v", err)
	}
	unlock()
	again, err := lockServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
