package report

import (
	"io"
	"os"
)

// At chooses how to show a campaign by where its output goes: Live if that is a
// terminal that can do it, and Plain otherwise. env is os.Getenv.
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

// terminal is the writer as a file if it may be one. The null device is one too, as
// far as its mode says; it has no size.
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
