package corpus

import (
	"fmt"
	"os"
	"slices"
)

// claimMax bounds the files that are open at once. A run leaves one for each of
// its workers, and what is too much for one Compact is left for the next.
const claimMax = 256

// Compact merges the segments whose writer is gone into one, and leaves out the
// cases that keep does not want; nil keeps all. Writers and other calls of
// Compact may be at work in the folder.
//
// It may be killed at any time. What it has written so far is then not looked
// at, or is a segment like others whose cases are there twice.
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
	wanted := 1 + all + 1 // a first line, and one that tells the runs
	if len(claims) == 0 || len(claims) == 1 && r.lines <= wanted && len(r.corpus.Entries) == all {
		return nil
	}
	if err := merge(dir, claims, &r.corpus); err != nil {
		return fmt.Errorf("compact %s: %w", dir, err)
	}
	return nil
}

// claimWhole claims what can be claimed and reads it. A segment that cannot be
// read to its end stays where it is.
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

// merge writes the corpus to a segment and then removes those it was read from.
//
// The merged one takes the place of the oldest. Of two segments that were begun
// one after the other and are merged, it may stand before a third that came
// between them and is still written; but that one was written at the same time
// as the later of the two, so none of them is the newer one.
//
// The oldest is removed first, and none after one that stays: else a case would
// get back the verdict of an old segment that a removed one had corrected.
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

// write makes a segment that is complete, and on disk, before it has its name.
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

// syncFolder puts the new name on disk before the old ones go. Not all systems
// can, and then they do it in order or we have done what is possible.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		f.Sync()
		f.Close()
	}
}

// sweep removes what a Compact that was killed had begun.
func sweep(dir string) {
	list, _ := segments(dir, tmpExt)
	for _, s := range list {
		if c, ok := s.claim(); ok {
			c.remove() // or the next one does
		}
	}
}
