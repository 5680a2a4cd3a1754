package sound

import (
	"encoding/binary"
	"testing"

	"github.com/allele-go/allele"
)

// The chunks of a file fill it, and the last one has the samples.
func TestChunks(t *testing.T) {
	allele.Check(t, func(t *allele.T, b []byte) {
		if string(b[:4]) != "RIFF" || string(b[8:16]) != "WAVEfmt " || int(binary.LittleEndian.Uint32(b[4:])) != len(b)-8 {
			t.Fatalf("header %q of %d bytes", b[:16], len(b))
		}
		id, rest := "", b[12:]
		for len(rest) >= 8 {
			n := int(binary.LittleEndian.Uint32(rest[4:]))
			id, rest = string(rest[:4]), rest[8+n+n%2:]
		}
		if id != "data" || len(rest) > 0 {
			t.Errorf("the last chunk is %q, and %d bytes are left", id, len(rest))
		}
	}, allele.Through(WAV), allele.Tests(1000))
}
