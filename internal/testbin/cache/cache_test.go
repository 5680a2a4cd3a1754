//go:build go1.25

package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpus"
)

// fakeCache creates a cache with work folders of 1,000 bytes that were last used this many
// days ago, and with a corpus.
func fakeCache(t *testing.T, now time.Time, days map[string]int) (root string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	write := func(file string) {
		file = filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, make([]byte, 1000), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, ago := range days {
		write(filepath.Join(workFor(name), "bin", name+".test"))
		then := now.Add(-time.Duration(ago) * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(root, workFor(name)), then, then); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := corpus.Create(corpus.Folder(filepath.Join(root, "corpus"), "example.com/x", "TestX"), "example.com/x", "TestX")
	if err == nil {
		err = errors.Join(saved.Add(corpus.Entry{Input: "1", Verdict: event.Passed}), saved.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	write("mine/else.txt")
	return root
}

func workFor(name string) string { return name + "-0123456789abcdef" }

// left lists what is in a cache: the work folders by their names, and other things.
func left(t *testing.T, root string) string {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), "-0123456789abcdef"); name != trimmedName && name != lockName {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestTrim(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		what  string
		bytes int64
		use   string // a folder that a command uses now
		last  time.Duration
		want  string
	}{
		{"unused for five days", 1 << 20, "", 25 * time.Hour, "now recent"},
		{"a command uses it", 1 << 20, "unused", 25 * time.Hour, "now recent unused"},
		{"at most once a day", 1 << 20, "", 23 * time.Hour, "now recent unused"},
		{"the clock was wrong when it was trimmed", 1 << 20, "", -999 * time.Hour, "now recent"},
		{"too large: the oldest first", 1500, "", 25 * time.Hour, "now"},
		{"too large, but in use", 10, "recent", 25 * time.Hour, "recent"},
	} {
		root := fakeCache(t, now, map[string]int{"now": 0, "recent": 4, "unused": 6})
		if c.use != "" {
			temp, err := makeTemp(filepath.Join(root, workFor(c.use)))
			if err != nil {
				t.Fatal(err)
			}
			defer temp.Remove()
			then := now.Add(-6 * 24 * time.Hour) // used for a long time
			os.Chtimes(filepath.Join(root, workFor(c.use)), then, then)
		}
		mark := filepath.Join(root, trimmedName)
		if err := os.WriteFile(mark, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(mark, now.Add(-c.last), now.Add(-c.last)); err != nil {
			t.Fatal(err)
		}
		Trim(root, now, c.bytes)
		if got := strings.TrimPrefix(left(t, root), "corpus mine "); got != c.want {
			t.Errorf("%s: left are %s", c.what, got)
		}
	}
}

// A work folder that a command has entered stays complete, however often others clean the
// cache.
func TestCleanWhileInUse(t *testing.T) {
	root := fakeCache(t, time.Now(), nil)
	done := make(chan struct{})
	var cleaners, users sync.WaitGroup
	for range 2 {
		cleaners.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, w := range Works(root) {
					if _, err := w.Remove(root); err != nil && !os.IsNotExist(err) {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range 4 {
		users.Go(func() {
			for n := range 50 {
				work := filepath.Join(root, workFor(fmt.Sprint("w", i%2)))
				temp, err := Enter(root, work)
				if err != nil {
					t.Error(err)
					return
				}
				file := filepath.Join(work, fmt.Sprint("f", i))
				if err := os.WriteFile(file, []byte{byte(n)}, 0o666); err != nil {
					t.Error(err)
				}
				if data, err := os.ReadFile(file); err != nil || data[0] != byte(n) {
					t.Error(data, err)
				}
				temp.Remove()
			}
		})
	}
	users.Wait()
	close(done)
	cleaners.Wait()
}

// In a work folder that is used every day, what was not used for long is removed too.
func TestTrimInside(t *testing.T) {
	now := time.Now()
	root := fakeCache(t, now, map[string]int{"daily": 1})
	work := filepath.Join(root, workFor("daily"))
	old := filepath.Join(work, "bin", "gone.test")
	long := now.Add(-2 * unusedMax)
	if err := errors.Join(os.WriteFile(old, nil, 0o666), os.Chtimes(old, long, long)); err != nil {
		t.Fatal(err)
	}
	Trim(root, now, BytesMax)
	if _, err := os.Stat(old); err == nil {
		t.Error("an old binary is left")
	}
	if _, err := os.Stat(filepath.Join(work, "bin", "daily.test")); err != nil {
		t.Errorf("a binary in use is gone: %v", err)
	}
	if used := Works(root)[0].used; now.Sub(used) < 20*time.Hour {
		t.Errorf("trimming counts as a use: %v ago", now.Sub(used))
	}
}
