package main

import (
	"fmt"
	"os"
	"path/filepath"
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
