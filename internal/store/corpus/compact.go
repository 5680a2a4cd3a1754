//go:build go1.25

package corpus

import (
	"fmt"
	"os"
	"slices"
)

// claimMax is how many segments one call of Compact merges at most, because all their files
// are open at once. The next call merges the others. A campaign leaves one segment for each
// worker.
const claimMax = 256

// Compact merges the segments whose writers have exited into one segment. It drops the
// entries for which keep returns false; a nil keep keeps all. Writers and other calls of
// Compact may use the folder at the same time.
//
// Compact may be killed at any time. Its new file is then either unfinished and ignored,
// or a normal segment whose entries exist twice.
func Compact(dir string, keep func(Entry) bool) error {
	list, err := segments(dir, segmentExt)
	if err != nil {
		return fmt.Errorf("compact the corpus: %w", err)
	}
	sweep(dir)
	r := newReader()
	claims := claimWhole(list, r)
	defer func() {
		for _, c := range claims {
			c.release()
		}
	}()
	all := len(r.corpus.Entries)
	if keep != nil {
		r.corpus.Entries = slices.DeleteFunc(r.corpus.Entries, func(e Entry) bool { return !keep(e) })
	}
	wanted := 1 + all + 1 // a header, the entries, and the progress
	if len(claims) == 0 || len(claims) == 1 && r.lines <= wanted && len(r.corpus.Entries) == all {
		return nil
	}
	if err := merge(dir, claims, &r.corpus); err != nil {
		return fmt.Errorf("compact %s: %w", dir, err)
	}
	return nil
}

// claimWhole claims the segments that can be claimed and reads them. It releases a
// segment that cannot be read to its end.
func claimWhole(list []segment, r *reader) (claims []*claim) {
	for _, s := range list {
		if len(claims) == claimMax {
			break
		}
		c, ok := s.claim()
		if !ok {
			continue
		}
		if r.segment(s.path(), c.file) {
			claims = append(claims, c)
		} else {
			c.release()
		}
	}
	return claims
}

// merge writes the corpus to a new segment and then removes the segments it was read
// from.
//
// The new segment gets the number of the oldest merged segment. Suppose that a third
// segment was begun between two merged segments and is still being written. It then comes
// after the new segment. That is correct: the third segment and the later merged segment
// were written at the same time, so neither is newer than the other.
//
// The oldest segment is removed first, and merge stops at a segment that cannot be
// removed. Otherwise an entry would get back an old verdict that a removed segment had
// corrected.
func merge(dir string, claims []*claim, c *Corpus) error {
	if err := write(dir, claims[0].number, c); err != nil {
		return err
	}
	for _, old := range claims {
		if err := old.remove(); err != nil {
			return err
		}
	}
	return nil
}

// write creates a segment. The segment is complete and on disk before it gets its name.
func write(dir string, number int64, c *Corpus) error {
	w, err := newWriter(dir, number, tmpExt, header{c.Package, c.Property})
	if err != nil {
		return err
	}
	if err := fill(w, c); err != nil {
		w.discard()
		return err
	}
	if err := w.publish(); err != nil {
		os.Remove(w.segment.path())
		return err
	}
	syncFolder(dir)
	return nil
}

func fill(w *Writer, c *Corpus) error {
	for _, e := range c.Entries {
		if err := w.Add(e); err != nil {
			return err
		}
	}
	if c.Runs > 0 || c.Binary != "" {
		if err := w.Ran(c.Runs, c.Binary); err != nil {
			return err
		}
	}
	return w.file.Sync()
}

// syncFolder makes sure that the name of the new segment is on disk. It is called before
// the old segments are removed. Systems that cannot sync a folder return an error, which is
// ignored: nothing more can be done.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		f.Sync()
		f.Close()
	}
}

// sweep removes unfinished files of calls of Compact that were killed.
func sweep(dir string) {
	list, _ := segments(dir, tmpExt)
	for _, s := range list {
		if c, ok := s.claim(); ok {
			c.remove() // if it fails, the next sweep tries again
		}
	}
}
