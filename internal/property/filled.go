//go:build go1.25

package property

import (
	"fmt"
	"go/token"
	"path"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Filled returns a note for each type in an input that hides fields and was not made by a
// function, in plain go test: its value may be one that the functions of its package never
// make. For a type of the package under test, the note names these functions.
func Filled(p *Property, x term.Term) (notes []string) {
	if p.Job.Mode != job.Plain {
		return nil // the command uses the functions that it finds
	}
	seen, zero := map[reflect.Type]bool{}, codec.Zeros(p.World, x)
	for at := range x.Nodes() {
		t := p.World.Content(x[at])
		if t == nil || seen[t] || !schema.Hides(t) || !schema.Own(t) || !hiddenSet(p.World, x, at, zero) {
			continue
		}
		seen[t] = true
		if note := filled(p, t); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// hiddenSet reports whether an unexported field of the struct at a position is not zero.
func hiddenSet(w *schema.World, x term.Term, at int, zero []bool) bool {
	n := x[at]
	at++
	for _, f := range w.Of(n).Ctors[n.C].Fields {
		if !token.IsExported(f.Name) && !zero[at] {
			return true
		}
		at += int(x[at].N)
	}
	return false
}

func filled(p *Property, t reflect.Type) string {
	base, _, _ := strings.Cut(t.Name(), "[")
	if t.PkgPath() != p.Place.Package() {
		return fmt.Sprintf("%v was made by fields, without the functions of its package", t)
	}
	qualifier, outside := "", p.Place.Pkg != p.Place.Package()
	if outside {
		qualifier = path.Base(t.String()[:strings.LastIndexByte(t.String(), '.')]) + "."
	}
	for _, f := range p.Place.Src.Makers(base) {
		if !outside || token.IsExported(f) {
			return fmt.Sprintf("%s was made by fields, so it may be a value that the package never makes; %s makes valid ones:\n"+
				"    declare allele.Builder(%s%s), or run go tool allele facts -write", t.Name(), f, qualifier, f)
		}
	}
	return ""
}
