//go:build go1.25

package codec_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"sort"
)

// described is a struct of interfaces of the standard library.
type described struct {
	Ctx  context.Context
	Body io.ReadCloser
	From []io.Reader
	To   io.Writer
	Dir  fs.FS
	Err  *error
}

// describe returns what can be found out about a value through the methods of its interfaces. This
// file is also part of the program that TestInterfaceTexts compiles.
func describe(in described) string {
	var b bytes.Buffer
	if in.Ctx != nil {
		deadline, ok := in.Ctx.Deadline()
		fmt.Fprintln(&b, in.Ctx.Err(), context.Cause(in.Ctx), deadline.UTC(), ok, in.Ctx.Done() != nil, in.Ctx == context.Background())
	}
	for _, r := range append([]io.Reader{in.Body}, in.From...) {
		if r != nil {
			text, err := io.ReadAll(r)
			fmt.Fprintf(&b, "%q, %v\n", text, err)
		}
	}
	fmt.Fprintf(&b, "%T\n", in.To)
	if in.Err != nil {
		fmt.Fprintf(&b, "%T %v\n", *in.Err, *in.Err)
	}
	if in.Dir == nil {
		return b.String()
	}
	for _, name := range []string{"a.b", "none", "..", "", "/"} {
		_, err := in.Dir.Open(name)
		text, err2 := fs.ReadFile(in.Dir, name)
		info, err3 := fs.Stat(in.Dir, name)
		fmt.Fprintf(&b, "%s: %v, %s, %v, %v, %v\n", name, err, text, err2, info != nil, err3)
	}
	err := fs.WalkDir(in.Dir, ".", func(path string, d fs.DirEntry, err error) error {
		info, err2 := d.Info()
		text, err3 := fs.ReadFile(in.Dir, path)
		fmt.Fprintf(&b, "%s %s %v %v %v %q %v %v %v %v %v\n", path, d.Name(), d.IsDir(), d.Type(), err, text, err2, err3, info.Size(), info.Mode(), info.ModTime())
		return nil
	})
	all, err2 := fs.Glob(in.Dir, "*/*")
	sort.Strings(all)
	fmt.Fprintln(&b, err, all, err2)
	return b.String()
}
