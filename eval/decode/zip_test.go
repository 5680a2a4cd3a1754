package decode

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/allele-go/allele"
)

type entry struct {
	Name, Comment string
	Deflate       bool
	Extra         []byte
	Contents      []byte
}

func archive(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Comment: e.Comment, Extra: e.Extra}
		if e.Deflate {
			h.Method = zip.Deflate
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.Contents); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// A file that can be read has the size and the checksum that the archive states.
func TestZip(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		t.Assume(err == nil)
		for _, f := range r.File {
			c, err := f.Open()
			if err != nil || strings.HasSuffix(f.Name, "/") || f.UncompressedSize64 > 1<<20 {
				continue // folders have no contents
			}
			b, err := io.ReadAll(c)
			if err != nil {
				continue
			}
			if uint64(len(b)) != f.UncompressedSize64 {
				t.Errorf("%q: %d bytes, want %d", f.Name, len(b), f.UncompressedSize64)
			}
			if sum := crc32.ChecksumIEEE(b); f.CRC32 != 0 && sum != f.CRC32 {
				t.Errorf("%q: checksum %x, want %x", f.Name, sum, f.CRC32)
			}
		}
	}, allele.Through(archive))
}
