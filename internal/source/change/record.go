//go:build go1.25

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

// Records are the records of a property, the newest first. There is one for each of the
// last few versions of its program, because people return to an earlier version or
// switch between branches.
type Records []*Record

// recordsMost is how many records are kept. Four are enough for two branches and an
// experiment on each.
const recordsMost = 4

// Record lists what a property reached in one version of its program. It identifies
// functions by name and by a checksum of their tokens, not by line. So the record stays
// valid when lines move, and in another clone.
type Record struct {
	Build        string            // the flags that affect what is built
	Passed       bool              // the last run passed
	Whole        bool              // Functions contains all reached functions
	Functions    map[string]string // reached function -> checksum
	Declarations map[string]string // package -> checksum of its declarations or, without probes, of its files
}

// Reached is what runs of a property have reached.
type Reached struct {
	Sites  []site.Site
	Whole  bool // Sites contains all reached sites
	Passed bool
	Build  string
}

// Record returns the known records with a new one in front, for what was reached now.
// If a known record is of the same version of the program, the new record replaces it
// and includes its functions, because a search does not reach everything each time.
func (t *Tree) Record(p Property, r Reached, known Records) Records {
	rec := &Record{Build: r.Build, Passed: r.Passed, Whole: r.Whole, Functions: map[string]string{}, Declarations: map[string]string{}}
	var found []*unit
	for _, s := range r.Sites {
		u := t.at(s)
		if u == nil && t.owns(s.File) {
			rec.Whole = false // the function at this site is unknown
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
		if sum := t.declared(part, part.Path == p.Package); sum != "" {
			rec.Declarations[part.Path] = sum
		}
	}
	known = append(Records{rec}, slices.DeleteFunc(slices.Clone(known), same)...)
	return known[:min(len(known), recordsMost)]
}

// differs returns the name of something that has changed since a record was made, or ""
// if nothing in the record has changed.
func (t *Tree) differs(p Property, r *Record) (what string) {
	for _, part := range p.Parts {
		switch sum := t.declared(part, part.Path == p.Package); {
		case r.Declarations[part.Path] == sum:
		case part.Own:
			return "a declaration of " + part.Path
		default:
			return part.Path
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

// closure returns the functions in found, and those that leave no trace: the test that
// contains the property, and functions without a probe that may have been called. A
// function may have been called if its name appears in reached code; if its name
// appears in a variable declaration, since the variable may contain the function; or if
// it is a method that the standard library calls implicitly.
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

// uncalled lists methods that the standard library calls on values passed to it. They
// may run although the user's source never names them.
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

// recordFormat is the beginning of the file's first line. The checksum of the other
// lines follows it.
const recordFormat = "allele reached 1"

// recordMax bounds the size of the file. It is enough for some hundred thousand
// functions.
const recordMax = 16 << 20

const recordName = "reached"

// Read reads the records from the folder of a property. A file that is missing or
// invalid counts as no records.
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

// Write stores records in the folder of a property. It writes a temporary file and
// renames it when it is complete. So if the process is killed, either the old file or
// the new one is left.
func (k Records) Write(dir string) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if len(data) > recordMax-len(recordFormat)-2*sha256.Size-2 {
		return os.RemoveAll(filepath.Join(dir, recordName)) // too large; without a record the property always runs
	}
	part, err := os.CreateTemp(dir, recordName+"-*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after the rename this does nothing
	_, err = fmt.Fprintf(part, "%s %x\n%s", recordFormat, sha256.Sum256(data), data)
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), filepath.Join(dir, recordName))
}
