package main

import (
	"bytes"
	"strings"
	"testing"
)

// Numbers that make no sense are errors, also those that a flag has if it is not given.
func TestSenselessFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"agent -cred x -workers 0", "-workers: want a number from 1 to 256, not 0"},
		{"agent -cred x -workers -1", "-workers: want a number from 1 to 256, not -1"},
		{"agent -cred x -memory 0", "-memory: want megabytes from 64 to 1048576, not 0"},
		{"agent -cred x -every 0", "-every: want a time from 100ms to "},
		{"agent -cred x -run-timeout 0", "-run-timeout: want a time above 0, not 0s"},
		{"submit -dir x -campaign y -replicas 0", "-replicas: want 1, 3 or 5, not 0"},
		{"submit -dir x -campaign y -replicas 2", "-replicas: want 1, 3 or 5, not 2"},
	} {
		var out, errs bytes.Buffer
		if exit := run(t.Context(), strings.Fields(c.args), &out, &errs); exit != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", c.args, exit, out.String(), errs.String())
		}
	}
}
