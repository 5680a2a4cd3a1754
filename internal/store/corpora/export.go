//go:build go1.25

package corpora

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// progressName is the name of the file with the progress of a search, beside the exported
// inputs.
const progressName = "corpus.json"

// progress is the content of the file progressName.
type progress struct {
	Package  string `json:"package"`
	Property string `json:"property"`
	Runs     int    `json:"runs"`
	Binary   string `json:"binary,omitempty"`
}

// Export writes the saved inputs of the properties whose names match a pattern to files in a folder.
func (s *Set) Export(to, pattern string) error {
	places, err := s.Places(pattern)
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, p := range places {
		k, err := corpus.Read(p.Dir)
		if err != nil {
			return err
		}
		for _, text := range k.Problems {
			s.Warn("damaged, skipped: %s", text)
		}
		k.Package, k.Property = p.Package, p.Property // the names in k are empty if no file contains them
		if err := exportOne(to, k, written); err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "%-40s %9s\n", words.Printable(Named(p)), words.Count(len(k.Entries), "input"))
	}
	if len(places) > 0 {
		fmt.Fprintf(s.Out, "to read them back, run: %s corpus import %s\n", s.Self, to)
	}
	return nil
}

func exportOne(to string, k *corpus.Corpus, written map[string]bool) error {
	dir := casefile.Folder(to, k.Package, k.Property)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// On a case-insensitive file system two properties may share a folder. A file name
	// that is taken gets a number at its end.
	free := func(name, ext string) string {
		file := filepath.Join(dir, name+ext)
		for n := 2; written[strings.ToLower(file)]; n++ {
			file = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, ext))
		}
		written[strings.ToLower(file)] = true
		return file
	}
	for _, e := range k.Entries {
		if err := os.WriteFile(free(e.ID(), ".case"), e.File(k.Package, k.Property).Bytes(), 0o666); err != nil {
			return err
		}
	}
	data, err := json.Marshal(progress{k.Package, k.Property, k.Runs, k.Binary})
	if err != nil {
		return err
	}
	ext := filepath.Ext(progressName)
	return os.WriteFile(free(strings.TrimSuffix(progressName, ext), ext), append(data, '\n'), 0o666)
}
