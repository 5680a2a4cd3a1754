package access

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A secret may be readable by a group only if it belongs to another user, as in a Secret volume of
// Kubernetes (root, 0440). Nobody else may have access.
func TestModesOfSecrets(t *testing.T) {
	for _, c := range []struct {
		mode fs.FileMode
		ours bool
		want string // part of the error
	}{
		{0o600, true, ""}, {0o400, true, ""}, {0o700, true, ""},
		{0o440, false, ""}, {0o640, false, ""}, {0o400, false, ""},
		{0o440, true, "a group can read"}, {0o640, true, "a group can read"},
		{0o660, false, "a group can write"}, {0o420, false, "a group can write"}, {0o620, true, "a group can write"},
		{0o450, false, "a group can read"},
		{0o444, false, "other users have access"}, {0o604, true, "other users have access"},
		{0o602, false, "other users have access"}, {0o601, false, "other users have access"},
	} {
		err := checkMode("x.cred", c.mode, c.ours)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("mode %04o, ours %v: got %v, want %q", c.mode, c.ours, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "chmod 600 x.cred") {
			t.Errorf("%v: the error does not say what to do", err)
		}
	}
}

// The owner of a file decides.
func TestOwnersOfSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.cred")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o440); err != nil {
		t.Fatal(err)
	}
	if _, err := readSecret(file); err == nil {
		t.Error("a file of ours that its group can read was read")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	if err := os.Chown(file, 1234, -1); err != nil {
		t.Skip(err)
	}
	if text, err := readSecret(file); err != nil || string(text) != "x" {
		t.Errorf("a file of another user that our group can read: %q, %v", text, err)
	}
}
