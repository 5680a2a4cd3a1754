package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/allele-go/allele"
)

// What the encoders write is well formed: an independent reader reads it.
func TestReaders(t *testing.T) {
	for _, f := range []struct {
		name    string
		through allele.Option
		read    func([]byte) error
	}{
		{"zip", allele.Through(ZIP), readZIP},
		{"tar", allele.Through(TAR), readTAR},
		{"gzip", allele.Through(GZIP), readGZIP},
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

func readZIP(b []byte) error {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, f := range r.File {
		x, err := f.Open()
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, x); err != nil {
			return err
		}
	}
	return nil
}

func readTAR(b []byte) error {
	r := tar.NewReader(bytes.NewReader(b))
	for {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
	}
}

func readGZIP(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return err
}
