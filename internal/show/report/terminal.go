//go:build go1.25

package report

import (
	"io"
	"os"
)

// At sets the output and chooses the mode: Live if stdout is a terminal that can move its
// cursor, and Plain otherwise. env is os.Getenv.
func (c *Config) At(stdout, stderr io.Writer, env func(string) string) {
	c.Out, c.Err, c.Mode = stdout, stderr, Plain
	out := terminal(stdout)
	if out == nil || env("TERM") == "" || env("TERM") == "dumb" {
		return
	}
	if _, _, ok := windowSize(out); !ok {
		return
	}
	c.Mode, c.Apart = Live, terminal(stderr) == nil
	c.Colour = env("NO_COLOR") == ""
	c.Size = func() (columns, rows int) {
		columns, rows, _ = windowSize(out)
		return columns, rows
	}
}

// terminal returns the writer as a file if it may be a terminal, and nil otherwise. It
// also returns the null device, which has the mode of a terminal but no size.
func terminal(w io.Writer) *os.File {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return f
}
