//go:build go1.25 && linux

package program

import (
	"encoding/binary"
	"syscall"
	"testing"
)

// A fork server that does not repeat its version at the end of its first words is an error that
// quotes both, and one that exits before is an error too.
func TestHelloEnds(t *testing.T) {
	const version = newVersion | 1
	for _, c := range []struct {
		words []uint32
		want  string
	}{
		{[]uint32{version, 0, version + 1}, "its first words end with 0x41464c02, not 0x41464c01"},
		{[]uint32{version, 0}, "its first words have no end: it has exited"},
		{[]uint32{version, 0, version}, "<nil>"},
	} {
		var in, out [2]int
		for _, p := range []*[2]int{&in, &out} {
			if err := syscall.Pipe2(p[:], syscall.O_CLOEXEC); err != nil {
				t.Fatal(err)
			}
			defer syscall.Close(p[0])
		}
		defer syscall.Close(in[1])
		var all []byte
		for _, w := range c.words {
			all = binary.LittleEndian.AppendUint32(all, w)
		}
		if _, err := syscall.Write(out[1], all); err != nil {
			t.Fatal(err)
		}
		syscall.Close(out[1])
		s := &server{commands: in[1], answers: out[0]}
		got := "<nil>"
		if err := s.hello(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%#x: %s, want %s", c.words, got, c.want)
		}
	}
}
