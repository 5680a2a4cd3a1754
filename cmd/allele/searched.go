package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
)

// startLog makes the file of -log, empty. Binaries append to it from folders of
// their own.
func (c *campaign) startLog() (err error) {
	if c.dir != "" && !filepath.IsAbs(c.log) {
		c.log = filepath.Join(c.dir, c.log)
	}
	if c.log, err = filepath.Abs(c.log); err != nil {
		return err
	}
	if info, err := os.Stat(c.log); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", c.log)
	}
	return os.WriteFile(c.log, nil, 0o666)
}

// searched says how far a search got, and what each kind of input did for it.
func searched(s *event.Search) string {
	if s == nil || len(s.Kinds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    kept %s\n", count(s.Kept, "input"))
	rest := "changed at random"
	if s.Share >= 0 {
		rest = fmt.Sprintf("under way: %.0f %% of the places were changed", 100*s.Share)
	}
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Whole, "every change of one step was run"},
		{s.Bounded, "every change of one step was run, except to inputs that would be too large"},
		{s.Dropped, "given up: the search forgot them or began anew, or there was no room"},
		{s.Kept - s.Whole - s.Bounded - s.Dropped, rest},
	} {
		if part.n > 0 {
			fmt.Fprintf(&b, "    %9s  %s\n", group(part.n), part.what)
		}
	}
	fmt.Fprintf(&b, "    %-11s %9s %9s %9s %9s\n", "inputs", "tried", "passed", "new", "failed")
	for _, k := range s.Kinds {
		fmt.Fprintf(&b, "    %-11s %9s %9s %9s %9s\n", k.Kind, group(k.Tried), group(k.Passed), group(k.New), group(k.Failed))
	}
	return b.String()
}
