package access

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/filelock"
)

// sizeMax bounds what is read from a file of this package. A credential has about 4 kB, the record of a
// campaign about 100 bytes for each user.
const sizeMax = 4 << 20

// makeFolder makes a folder that only its owner can enter, or checks that an existing one is so.
func makeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("create folder: %w", err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("create folder: %w", err)
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("create folder: %s is a file", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("folder %s is open to other users; run: chmod 700 %s", dir, dir)
	}
	return nil
}

// writeFile replaces a file in one step, so that a reader and a crash see the old content or the new one.
// Only the owner can read the file.
func writeFile(name string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
			err = fmt.Errorf("write %s: %w", name, err)
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return err
	}
	if d, err := os.Open(filepath.Dir(name)); err == nil { // the new name survives a power cut
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// readSecret reads a file that no other user may read.
func readSecret(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read secret: %s is not a file", name)
	}
	if err := checkMode(name, info.Mode(), ours(info)); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, sizeMax+1))
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", err)
	}
	if len(content) > sizeMax {
		return nil, fmt.Errorf("read secret: %s has more than %d bytes", name, sizeMax)
	}
	return content, nil
}

// checkMode refuses a file that is open to other users. Its group may read it if it belongs to somebody
// else: Kubernetes and systemd hand a secret of root to a service in that way, and the service cannot
// change the mode.
func checkMode(name string, mode fs.FileMode, ours bool) error {
	switch open := mode.Perm() & 0o077; {
	case open == 0, open == 0o040 && !ours:
		return nil
	case open&0o007 != 0:
		return fmt.Errorf("read secret: other users have access to %s (mode %04o); run: chmod 600 %s", name, mode.Perm(), name)
	case open&0o020 != 0:
		return fmt.Errorf("read secret: a group can write %s (mode %04o); run: chmod 600 %s", name, mode.Perm(), name)
	default:
		return fmt.Errorf("read secret: a group can read %s (mode %04o); run: chmod 600 %s", name, mode.Perm(), name)
	}
}

// lockAttempts bounds how long lockFolder waits: 10 seconds. Whoever holds the lock writes a few files.
const lockAttempts = 200

// lockFolder keeps other processes from changing the folder until release is called.
func lockFolder(dir string) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	for range lockAttempts {
		held, able := filelock.Lock(f)
		if held || !able {
			return func() { _ = f.Close() }, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = f.Close()
	return nil, fmt.Errorf("lock %s: another process has held it for 10 seconds", dir)
}
