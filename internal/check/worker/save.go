//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/cover"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/codec"
)

// savedMax bounds the case files saved for a property. They are reviewed, checked in to a
// repository, and run by every go test. Fifty files are read in a few milliseconds, and
// cover.Pick first chooses the cases that show most.
const savedMax = 50

// savedBefore loads the case files of an earlier save. They are as useful as the corpus, and
// the only cases that are left if the cache, which holds the corpus, was cleaned.
func savedBefore(p *property.Property) (all []rerun) {
	p.TB.Helper()
	for _, file := range p.SavedFiles() {
		if s, mine, err := p.Load(file); err == nil && mine && !s.Runs.Isolated && !s.ByFields() {
			all = append(all, rerun{name: file, term: s.Term, file: true})
		}
	}
	return all
}

// saveFew writes to files a few cases that pass and that together show what all passing
// cases show. It removes the files of an earlier save that were not chosen this time.
func saveFew(p *property.Property, all []rerun) {
	p.TB.Helper()
	readable := property.PlainReader(p)
	e := event.Saved{Folder: p.Place.Dir}
	var pool []cover.Case
	var of []rerun
	most := savedMax
	for _, r := range all {
		switch {
		case r.fixed:
			most = 0 // all cases that kill a fault are needed
			pool = append(pool, cover.Case{Shows: r.shows, Rank: fixedRank})
			of = append(of, r)
		case r.misfit || r.verdict != engine.Passed:
		case !r.file && !readable(r.term):
			e.Unreadable++
		default:
			pool = append(pool, cover.Case{Shows: r.shows, Size: len(r.term)})
			of = append(of, r)
		}
	}
	named := map[string]bool{}
	for _, i := range cover.Pick(pool, most) {
		if of[i].fixed {
			continue
		}
		file, err := saveOne(p, of[i])
		if err != nil {
			e.Error = err.Error()
			p.Emit(e)
			return // the files of an earlier save stay
		}
		named[file] = true
	}
	e.Inputs = len(named)
	for _, r := range all {
		if r.file && !named[r.name] && r.verdict != engine.Failed && len(named) > 0 {
			p.Place.Remove(r.name)
			e.Removed++
		}
	}
	p.Emit(e)
}

// saveOne writes a case that passes, unless its file exists already.
func saveOne(p *property.Property, r rerun) (file string, err error) {
	file = p.SavedFile(r.term)
	if r.file && file == r.name {
		return file, nil
	}
	if err := p.Store(file, codec.Header{Test: p.Name, Verdict: string(event.Passed), Found: "allele test -save"}, r.term); err != nil {
		return file, err
	}
	property.AddFields(p, file, r.term)
	return file, nil
}
