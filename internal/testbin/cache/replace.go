//go:build go1.25

package cache

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file as a whole, unless it has the text already. It reports whether it has written.
func Replace(file, text string) (changed bool, err error) {
	if old, err := os.ReadFile(file); err == nil && string(old) == text {
		return false, nil
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return false, err
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Chmod(0o666), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return true, err
}
