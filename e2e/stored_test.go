package e2e

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/testkit"
)

// What an earlier version has stored still means the same. The files in testdata/stored were
// written by revision 7c6f37d, and are never written again: a case that fails today with another
// message, or not at all, is a regression test that a user has lost.
//
// A new type of input may be added with new cases. They get a folder of their own.
func TestStored(t *testing.T) {
	m := storedModule(t)
	t.Setenv("ALLELE_TESTS", "0") // the stored cases, and nothing else
	messages := storedCases(m, "plain")
	if len(messages) < 45 {
		t.Fatalf("only %d cases", len(messages))
	}
	out := m.exec("go", "test", "-v", ".")
	failAgain(t, out, messages)
	if !strings.Contains(out, "note: 7 stored cases, none generated") {
		t.Errorf("the saved inputs of TestKept were not run:\n%s", after(out, "=== RUN   TestKept"))
	}

	// Other texts of the same values, which allele test wrote.
	if err := os.RemoveAll(filepath.Join(m.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	messages = storedCases(m, "command")
	failAgain(t, m.exec("go", "test", "-v", "-run", "TestStored", "."), messages)
}

// The corpus of an earlier version is read. If inputs do not fit any more, one line says so.
func TestStoredCorpus(t *testing.T) {
	m := storedModule(t)
	saved, err := os.ReadFile(filepath.Join("testdata", "stored", "corpus", "TestKept.corpus"))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Count(string(saved), `{"case":`)
	run := func() (read, unread int) {
		m.write(".cache/allele/corpus/example_com_stored-7db08448/TestKept-5e6ed21d/000001-3561646531.corpus", saved)
		out := m.exec(filepath.Join(bin, "allele"), "test", "-v", "-tests", "10", "-run", "TestKept", ".")
		read, unread = number(out, `(\d+) saved inputs? run again`), number(out, `note: (\d+) saved inputs? no longer fits? the type`)
		if read+unread != all {
			t.Errorf("%d of %d saved inputs were run again, and %d do not fit:\n%s", read, all, unread, out)
		}
		return read, unread
	}
	run()
	if err := os.RemoveAll(filepath.Join(m.dir, ".cache", "allele", "corpus")); err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(m.dir, "types.go"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("types.go", []byte(strings.Replace(string(src), "Email ", "Address ", 1)))
	tests, err := os.ReadFile(filepath.Join(m.dir, "types_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("types_test.go", []byte(strings.ReplaceAll(string(tests), "f.Email", "f.Address")))
	if read, unread := run(); read == 0 || unread == 0 {
		t.Errorf("a field was renamed: %d saved inputs were run again, and %d do not fit", read, unread)
	}
}

func number(out, pattern string) int {
	f := regexp.MustCompile(pattern).FindStringSubmatch(out)
	if f == nil {
		return 0
	}
	n, _ := strconv.Atoi(f[1])
	return n
}

// storedModule writes the module of the stored files.
func storedModule(t *testing.T) meaning {
	t.Helper()
	m := meaning{t, t.TempDir()}
	m.exec("go", "mod", "init", "example.com/stored")
	m.exec("go", "mod", "edit", "-require=github.com/allele-go/allele@v0.0.0", "-replace=github.com/allele-go/allele="+testkit.Root(t))
	for _, file := range []string{"types.go", "types_test.go"} {
		src, err := os.ReadFile(filepath.Join("testdata", "stored", file))
		if err != nil {
			t.Fatal(err)
		}
		m.write(file, src)
	}
	return m
}

// storedCases copies stored cases into the module. It returns the messages of those that fail, by file.
func storedCases(m meaning, folder string) map[string]string {
	m.t.Helper()
	from, messages := filepath.Join("testdata", "stored", folder), map[string]string{}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name := strings.TrimPrefix(path, from)
		m.write(filepath.Join("testdata", "allele", name), data)
		c, parsed := casefile.Parse(data)
		for _, f := range c.Facts {
			if f.Key == "message" {
				messages[name] = f.Value
			}
		}
		return errors.Join(err, parsed)
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return messages
}

// failAgain checks that all cases fail with their messages.
func failAgain(t *testing.T, out string, messages map[string]string) {
	t.Helper()
	for name, message := range messages {
		test := strings.ReplaceAll(filepath.Base(filepath.Dir(name)), "%2F", "/")
		report := after(out, "=== RUN   "+test+"\n")
		if !strings.Contains(report, message) || !strings.Contains(report, "from     testdata/allele"+filepath.ToSlash(name)) {
			t.Errorf("%s does not fail with %q:\n%s", name, message, report)
		}
	}
}

// after returns the part of the output of go test -v that begins with a line, up to the next test.
func after(out, line string) string {
	_, rest, _ := strings.Cut(out, line)
	report, _, _ := strings.Cut(rest, "=== RUN")
	return report
}
