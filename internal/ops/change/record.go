package change

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// Records are what is known of a property, the newest first: of the last few versions
// of its program, as people go back to one, or from branch to branch.
type Records []*Record

// recordsMost is enough for two branches and a try on each.
const recordsMost = 4

// Record is what a property reached in one version of its program. It speaks of
// functions by their names and the sums of their tokens, not of lines: so it stays
// true when lines move, and in another clone.
type Record struct {
	Build        string            // the flags that decide what is built
	Passed       bool              // when it was last run
	Whole        bool              // Functions are all that were reached
	Functions    map[string]string // reached -> sum
	Declarations map[string]string // of packages -> sum
}

// Reached is what runs of a property have shown.
type Reached struct {
	Sites  []site.Site
	Whole  bool // these are all
	Passed bool
	Build  string
}

// Record adds what was reached to what is known. What was known of the same version
// stays: a search does not go everywhere each time.
func (t *Tree) Record(p Property, r Reached, known Records) Records {
	rec := &Record{Build: r.Build, Passed: r.Passed, Whole: r.Whole, Functions: map[string]string{}, Declarations: map[string]string{}}
	var found []*unit
	for _, s := range r.Sites {
		u := t.at(s)
		if u == nil && t.owns(s.File) {
			rec.Whole = false // it is not known where that is
		}
		if u != nil && p.in(u) {
			found = append(found, u)
		}
	}
	same := func(old *Record) bool { return old.Build == rec.Build && t.differs(p, old) == "" }
	if i := slices.IndexFunc(known, same); i >= 0 {
		for key := range known[i].Functions {
			found = append(found, t.units[key])
		}
	}
	for _, u := range t.closure(p, found) {
		rec.Functions[u.key] = u.sum
	}
	for _, part := range p.Parts {
		if part.Own {
			rec.Declarations[part.Path] = t.declared(part, part.Path == p.Package)
		}
	}
	known = append(Records{rec}, slices.DeleteFunc(slices.Clone(known), same)...)
	return known[:min(len(known), recordsMost)]
}

// differs says what is not as it was when a record was made; it is empty if all that
// the record speaks of is the same.
func (t *Tree) differs(p Property, r *Record) (what string) {
	for _, part := range p.Parts {
		if part.Own && r.Declarations[part.Path] != t.declared(part, part.Path == p.Package) {
			return "a declaration of " + part.Path
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.Functions)) {
		if u := t.units[key]; u == nil || u.sum != r.Functions[key] || !p.in(u) {
			_, title, _ := strings.Cut(key, " ")
			return title
		}
	}
	return ""
}

func (t *Tree) owns(file string) bool {
	d := t.folders[filepath.Dir(file)]
	return d != nil && d.Own
}

// closure adds what leaves no trace: the test around the property, and functions
// without a probe that may have been called. One may have been if its name stands
// in something that was reached, or in that of a variable, which may hold it;
// or if it is a method that the standard library calls by itself.
func (t *Tree) closure(p Property, found []*unit) []*unit {
	seen := map[*unit]bool{}
	var queue, reached []*unit
	take := func(u *unit) {
		if !seen[u] && p.in(u) {
			seen[u] = true
			queue = append(queue, u)
		}
	}
	for _, u := range found {
		take(u)
	}
	top, _, _ := strings.Cut(p.Test, "/")
	for _, u := range t.units {
		if u.kind == declaration || u.test && u.of == "" && u.name == top || u.short && u.of != "" && uncalled[u.name] {
			take(u)
		}
	}
	for len(queue) > 0 {
		u := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if u.kind == function {
			reached = append(reached, u)
		}
		for name := range u.mention {
			for _, called := range t.short[name] {
				take(called)
			}
		}
	}
	return reached
}

// uncalled are methods that the standard library calls on values it is handed, so
// that no source of one's own need name them.
var uncalled = set(`Len Less Swap Push Pop String GoString Format Error Is As Unwrap Timeout Temporary
	Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo ReadByte UnreadByte ReadRune UnreadRune WriteByte WriteString Scan
	MarshalJSON UnmarshalJSON MarshalJSONTo UnmarshalJSONFrom MarshalText UnmarshalText AppendText
	MarshalBinary UnmarshalBinary AppendBinary
	MarshalXML UnmarshalXML MarshalXMLAttr UnmarshalXMLAttr GobEncode GobDecode IsZero
	Value Lock Unlock ServeHTTP RoundTrip Handle Enabled WithAttrs WithGroup LogValue Set Get IsBoolFlag
	Open ReadDir ReadFile Stat Sub Glob Name Size Mode ModTime IsDir Sys Type Info Done Err Deadline
	At Bounds ColorModel RGBA Convert Uint64 Int63 Seed Visit Transform Reset Span Sum BlockSize Next`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// recordFormat is how a file begins, before the sum of the rest.
const recordFormat = "allele reached 1"

// recordMax bounds a file: some hundred thousand functions.
const recordMax = 16 << 20

const recordName = "reached"

// Read reads what is known of the property with this folder. The file may hold
// anything; what is no record is none.
func Read(dir string) (known Records) {
	file := filepath.Join(dir, recordName)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > recordMax {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(first) != fmt.Sprintf("%s %x", recordFormat, sha256.Sum256(rest)) || json.Unmarshal(rest, &known) != nil {
		return nil
	}
	return slices.DeleteFunc(known, func(r *Record) bool { return r == nil })
}

// Write keeps records in the folder of a property. The file gets its name when it is
// whole, so whoever is killed leaves the old one or the new one.
func (k Records) Write(dir string) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if len(data) > recordMax-len(recordFormat)-2*sha256.Size-2 {
		return os.RemoveAll(filepath.Join(dir, recordName)) // the property is always run
	}
	part, err := os.CreateTemp(dir, recordName+"-*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // nothing is left there if all went well
	_, err = fmt.Fprintf(part, "%s %x\n%s", recordFormat, sha256.Sum256(data), data)
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), filepath.Join(dir, recordName))
}
