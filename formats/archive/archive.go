// Package archive has the formats of archives, ZIP and TAR, and of compressed files, GZIP.
//
// One type of file serves all of them. Each format writes what it knows of a file, so the same value
// is an archive in every format.
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(archive.ZIP))
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"time"
)

// File is a file of an archive.
type File struct {
	Name    string
	Data    []byte
	Mode    uint16
	Unix    uint32 // when it was changed
	Comment string
	Extra   []byte
	Kind    FileKind
}

// FileKind is what a file of an archive is.
type FileKind uint8

const (
	Compressed FileKind = iota // a file, compressed if the format can do that
	Stored                     // a file that is not compressed
	Folder
	Link
)

// Archive is files with a comment.
type Archive struct {
	Files   []File
	Comment string
}

// ZIP encodes an archive.
func ZIP(v Archive) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range v.Files {
		h := &zip.FileHeader{Name: f.Name, Comment: f.Comment, Extra: f.Extra, Modified: time.Unix(int64(f.Unix), 0).UTC()}
		switch f.Kind {
		case Compressed:
			h.Method = zip.Deflate
		case Folder:
			h.Name += "/"
			f.Data = nil
		}
		x, err := w.CreateHeader(h)
		if err == nil {
			_, err = x.Write(f.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.SetComment(v.Comment); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// TAR encodes an archive.
func TAR(v Archive) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range v.Files {
		h := &tar.Header{Name: f.Name, Mode: int64(f.Mode), Size: int64(len(f.Data)), Typeflag: tar.TypeReg,
			ModTime: time.Unix(int64(f.Unix), 0)}
		switch f.Kind {
		case Folder:
			h.Typeflag, h.Size, f.Data = tar.TypeDir, 0, nil
		case Link:
			h.Typeflag, h.Size, f.Data, h.Linkname = tar.TypeSymlink, 0, nil, f.Comment
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// Members is a compressed file of several members, as a gzip file can have.
type Members struct{ Files []File }

// GZIP encodes the members, one after the other.
func GZIP(v Members) ([]byte, error) {
	var b bytes.Buffer
	for _, f := range v.Files {
		level := gzip.BestCompression
		if f.Kind == Stored {
			level = gzip.NoCompression
		}
		w, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			return nil, err
		}
		w.Name, w.Comment, w.Extra, w.ModTime = latin(f.Name), latin(f.Comment), f.Extra, time.Unix(int64(f.Unix), 0)
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// latin removes the characters that a gzip header cannot have.
func latin(s string) string {
	out := []rune{}
	for _, c := range s {
		if c > 0 && c < 256 {
			out = append(out, c)
		}
	}
	return string(out)
}
