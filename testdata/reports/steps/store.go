package steps

// Store has files with names. Each Write of a handle is buffered until the handle is closed.
type Store struct{ files map[string]string }

// File is a handle of a file.
type File struct {
	store *Store
	name  string
	buf   string
}

func NewStore() *Store { return &Store{files: map[string]string{}} }

func (s *Store) Open(name string) *File { return &File{store: s, name: name, buf: s.files[name]} }

func (s *Store) Read(name string) string { return s.files[name] }

func (f *File) Write(text string) { f.buf += text }

// Close loses what another handle of the same file has written since this one was opened.
func (f *File) Close() { f.store.files[f.name] = f.buf }
