//go:build go1.25

package judge

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/ops/fate"
)

// store is the file with the verdicts so far. Its first line says what they are about.
type store struct {
	file     *os.File
	verdicts map[int]fate.Verdict
}

type storeHead struct {
	Format int    `json:"format"`
	Of     string `json:"of"` // hash of the binary, the faults and the settings that matter
}

// storeFormat is the version of the file, of baselines, and of what verdicts mean.
const storeFormat = 1

// openStore opens the file in the folder of c. If that is about something else, it starts over
// and removes the baseline too.
func openStore(c *Config) (*store, error) {
	head := storeHead{Format: storeFormat}
	var err error
	if head.Of, err = hash(c); err != nil {
		return nil, err
	}
	s := &store{verdicts: map[int]fate.Verdict{}}
	path := filepath.Join(c.Work, "verdicts")
	end, same, err := s.read(path, head)
	if err != nil {
		return nil, err
	}
	if s.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if !same {
		end = 0
		if err := os.Remove(filepath.Join(c.Work, "baseline")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := s.file.Truncate(end); err != nil { // without a line that was not written completely
		return nil, err
	}
	if _, err := s.file.Seek(end, io.SeekStart); err != nil {
		return nil, err
	}
	if !same {
		err = s.put(head)
	}
	return s, err
}

// read reads the file. same is false if it is not about the same thing. end is where the last
// complete line ends.
func (s *store) read(path string, want storeHead) (end int64, same bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return end, same, nil
		}
		if err != nil {
			return 0, false, err
		}
		if end == 0 {
			var head storeHead
			if json.Unmarshal(line, &head) != nil || head != want {
				return 0, false, nil
			}
			same = true
		} else {
			var v fate.Verdict
			if json.Unmarshal(line, &v) != nil || v.Kind == "" {
				return end, same, nil // damaged; what follows is judged again
			}
			s.verdicts[v.Fault] = v
		}
		end += int64(len(line))
	}
}

func (s *store) add(v fate.Verdict) error { return s.put(v) }

func (s *store) put(x any) error {
	data, err := json.Marshal(x)
	if err == nil {
		_, err = s.file.Write(append(data, '\n'))
	}
	return err
}

func (s *store) close() { s.file.Close() }

// hash identifies what is judged.
func hash(c *Config) (string, error) {
	f, err := os.Open(c.Binary)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", c.Binary, err)
	}
	settings, err := json.Marshal([]any{c.Faults, c.Leave, c.Dir, c.Wall, c.Memory, c.All != nil})
	if err != nil {
		return "", err
	}
	h.Write(settings)
	return hex.EncodeToString(h.Sum(nil)), nil
}
