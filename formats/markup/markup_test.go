package markup

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"github.com/allele-go/allele"
)

// What the encoders write is well formed: an independent reader reads it.
func TestReaders(t *testing.T) {
	for name, through := range map[string][]allele.Option{
		"xml": {allele.Through(XML), Nodes},
		"svg": {allele.Through(SVG), Shapes},
	} {
		t.Run(name, func(t *testing.T) {
			allele.Check(t, func(t *allele.T, b []byte) {
				for d := xml.NewDecoder(bytes.NewReader(b)); ; {
					if _, err := d.Token(); err == io.EOF {
						return
					} else if err != nil {
						t.Fatalf("%v: %q", err, b)
					}
				}
			}, append(through, allele.Tests(1000))...)
		})
	}
}
