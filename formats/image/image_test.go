package image

import (
	"bytes"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/allele-go/allele"
	"golang.org/x/image/bmp"
)

// What the encoders write is well formed: an independent reader reads it.
func TestReaders(t *testing.T) {
	for _, f := range []struct {
		name    string
		through allele.Option
		read    func([]byte) error
	}{
		{"png", allele.Through(PNG), func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err }},
		{"gif", allele.Through(GIF), func(b []byte) error { _, err := gif.DecodeAll(bytes.NewReader(b)); return err }},
		{"jpeg", allele.Through(JPEG), func(b []byte) error { _, err := jpeg.Decode(bytes.NewReader(b)); return err }},
		{"bmp", allele.Through(BMP), func(b []byte) error { _, err := bmp.Decode(bytes.NewReader(b)); return err }},
	} {
		t.Run(f.name, func(t *testing.T) {
			allele.Check(t, func(t *allele.T, b []byte) {
				if err := f.read(b); err != nil {
					t.Fatalf("%v: %q", err, b)
				}
			}, f.through, allele.Tests(1000))
		})
	}
}
