//go:build go1.25

package schema

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"
)

// MapFS is a file system in memory. Its literals are those of testing/fstest.MapFS, as long as
// files have only Data.
type MapFS map[FileName]MapFile

// FileName is the path of a file in a MapFS.
type FileName string

// MapFile is a file in a MapFS.
type MapFile struct{ Data []byte }

// Open opens a file, or a folder that contains files.
func (m MapFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if f, ok := m[FileName(name)]; ok {
		return &openFile{bytes.NewReader(f.Data), fileInfo{path.Base(name), int64(len(f.Data)), 0}}, nil
	}
	entries := m.entries(name)
	if len(entries) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openDir{name: name, entries: entries}, nil
}

// entries returns the files and folders in a folder, sorted by name.
func (m MapFS) entries(dir string) []fs.DirEntry {
	all := map[string]fileInfo{}
	for name, f := range m {
		rest := string(name)
		if dir != "." {
			inside, ok := strings.CutPrefix(rest, dir+"/")
			if !ok {
				continue
			}
			rest = inside
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			all[first] = fileInfo{first, 0, dirMode}
		} else {
			all[first] = fileInfo{first, int64(len(f.Data)), 0}
		}
	}
	var entries []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entries = append(entries, fs.FileInfoToDirEntry(all[name]))
	}
	return entries
}

// opener hides all methods of a MapFS but Open, so that the functions of package fs use it.
type opener struct{ fs.FS }

// ReadFile implements fs.ReadFileFS.
func (m MapFS) ReadFile(name string) ([]byte, error) { return fs.ReadFile(opener{m}, name) }

// Stat implements fs.StatFS.
func (m MapFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(opener{m}, name) }

// ReadDir implements fs.ReadDirFS.
func (m MapFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(opener{m}, name) }

// Glob implements fs.GlobFS.
func (m MapFS) Glob(pattern string) ([]string, error) { return fs.Glob(opener{m}, pattern) }

// Sub implements fs.SubFS.
func (m MapFS) Sub(dir string) (fs.FS, error) { return fs.Sub(opener{m}, dir) }

const dirMode = fs.ModeDir | 0o555

// fileInfo implements fs.FileInfo.
type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }
func (i fileInfo) String() string     { return fs.FormatFileInfo(i) }

type openFile struct {
	*bytes.Reader
	info fileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	name    string
	entries []fs.DirEntry
	at      int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return fileInfo{path.Base(d.name), 0, dirMode}, nil }
func (d *openDir) Close() error               { return nil }
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.entries[d.at:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 {
		rest = rest[:min(n, len(rest))]
	}
	d.at += len(rest)
	return slices.Clone(rest), nil
}

// readMapFS reads a file system of an Example: a MapFS, or a testing/fstest.MapFS whose files have
// only Data.
func readMapFS(v reflect.Value) (MapFS, bool) {
	if v.IsNil() {
		return nil, false
	}
	v = v.Elem()
	if m, ok := v.Interface().(MapFS); ok {
		return m, true
	}
	if t := v.Type(); t.PkgPath() != "testing/fstest" || t.Name() != "MapFS" || v.IsNil() {
		return nil, false
	}
	m := MapFS{}
	for it := v.MapRange(); it.Next(); {
		if it.Value().IsNil() {
			return nil, false
		}
		file := reflect.New(it.Value().Type().Elem()).Elem()
		file.Set(it.Value().Elem())
		data := file.FieldByName("Data")
		m[FileName(it.Key().String())] = MapFile{data.Bytes()}
		if data.SetZero(); !file.IsZero() {
			return nil, false
		}
	}
	return m, true
}
