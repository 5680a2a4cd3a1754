//go:build go1.25

package property

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Filled returns a note for each type in an input that hides fields and was not made by a
// function, in plain go test: its value may be one that the functions of its package never
// make. The note has the declaration with which these functions make it.
func Filled(p *Property, x term.Term) (notes []string) {
	if p.Job.Mode != job.Plain {
		return nil // the command uses the functions that it finds
	}
	seen, zero, end := map[reflect.Type]bool{}, codec.Zeros(p.World, x), 0
	for at := range x.Nodes() {
		t := p.World.Content(x[at])
		if t == nil || at < end || !schema.Hides(t) || !schema.Own(t) {
			continue
		}
		note := filled(p, t, !hiddenSet(p.World, x, at, zero))
		if note == "" {
			continue
		}
		end = at + int(x[at].N) // what is inside is made by the functions that the note names
		if !seen[t] {
			seen[t] = true
			notes = append(notes, note)
		}
	}
	return notes
}

// Nils returns a note for each interface in an input that is nil although nil is never generated for
// it. A stored case may be older than the declaration of the variants.
func Nils(p *Property, x term.Term) (notes []string) {
	for at := range x.Nodes() {
		if s := p.World.Of(x[at]); s.Kind == schema.Interface && int(x[at].C) < s.First() {
			note := fmt.Sprintf("a nil %v is never generated, because the type has variants; "+
				"if it is not intended, delete the file", s.Type)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
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

// filled returns the note about a type. If all its unexported fields are zero, there is a note only
// if the package has a function that makes values: otherwise the zero value is meant to be used.
func filled(p *Property, t reflect.Type, zero bool) string {
	src, inside := p.Place.source(t.PkgPath())
	base, _, _ := strings.Cut(t.Name(), "[")
	name, _ := codec.TypeText(p.World, t, p.Place.Style())
	made := fmt.Sprintf("%s was made by fields, so it may be a value that the package never makes", cmp.Or(name, t.Name()))
	all := src.Builders(base)
	some := chosen(all, inside)
	options := src.OptionBuilder(base)
	reads, method := src.TextBuilder(base)
	command := fmt.Sprintf("run: %sfacts -write %s, or %[1]stest %[2]s", p.Commands().Name, p.Place.Tested())
	switch {
	case options != "" && (len(some) == 0 || some[0].Method):
		return fmt.Sprintf("%s; %s makes valid ones from options:\n    %s", made, options, command)
	case reads != "" && len(some) == 0 && !method:
		return fmt.Sprintf("%s; %s makes valid ones from texts, some of which it may refuse:\n    %s", made, reads, command)
	case zero && (len(some) == 0 || some[0].Method):
		return ""
	case reads != "" && len(some) == 0:
		return fmt.Sprintf("%s; %s makes valid ones from texts:\n"+
			"    declare a function that calls it: go doc github.com/allele-go/allele.Builder", made, reads)
	case len(all) == 0 && !inside:
		return fmt.Sprintf("%v was made by fields, without the functions of its package", t)
	case len(all) == 0:
		return ""
	case name == "" || len(some) == 0:
		return made + ";\n    declare a function that makes valid values: go doc github.com/allele-go/allele.Builder"
	}
	var names, code []string
	for _, b := range some {
		names = append(names, b.Name)
		code = append(code, declaration(b, name))
	}
	verb := "makes"
	if len(names) > 1 {
		verb = "make"
	}
	text := fmt.Sprintf("%s; %s %s valid ones:\n    declare %s", made, words.And(names), verb, strings.Join(code, ", "))
	if slices.ContainsFunc(names, token.IsExported) { // the command uses no other functions
		text += ", or run: " + p.Commands().Name + "facts -write " + p.Place.Tested()
	}
	return text
}

// builtBy bounds the functions in a declaration.
const builtBy = 3

// chosen returns the functions that are suggested as builders: one that makes a value, and
// methods that change it, if possible those that add something. A function with parameters that
// returns no pointer makes many values, and its type is probably not a container, so it suffices.
// A method that reads a text is not suggested: it refuses the texts that were tried, and most others.
func chosen(all []codec.SourceBuilder, inside bool) (some []codec.SourceBuilder) {
	var makers, changers []codec.SourceBuilder
	for _, b := range all {
		switch {
		case !inside && !token.IsExported(b.Name), b.Method && schema.Decodes(b.Name):
		case !b.Method:
			makers = append(makers, b)
		case b.Adds || len(changers) == 0 || !changers[0].Adds:
			changers = append(changers, b)
		}
	}
	some = slices.Clip(makers[:min(len(makers), 1)])
	if len(some) > 0 && some[0].Args > 0 && !some[0].Pointer {
		return some
	}
	return append(some, changers[:min(len(changers), builtBy-len(some))]...)
}

// declaration returns the option that declares a builder of a type, which code of the package
// calls name.
func declaration(b codec.SourceBuilder, name string) string {
	base, args, _ := strings.Cut(name, "[")
	f := base[:strings.LastIndexByte(base, '.')+1] + b.Name
	if b.Method {
		f = "(*" + name + ")." + b.Name
	} else if b.Generic {
		f += "[" + args
	}
	switch {
	case len(b.Small) > 0:
		small := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(b.Small)), ", "), "[]")
		return fmt.Sprintf("allele.Builder(%s, allele.Partial{Small: []int{%s}})", f, small)
	case b.Method || b.Panics: // a method may panic if, for example, an index is out of range
		return fmt.Sprintf("allele.Builder(%s, allele.Partial{})", f)
	}
	return fmt.Sprintf("allele.Builder(%s)", f)
}

// source returns the source of a package of the module, and whether code of this property can use
// its unexported names.
func (p *Place) source(path string) (src *codec.PackageConsts, inside bool) {
	inside = path == p.Pkg
	path = strings.TrimSuffix(path, "_test")
	if path == p.Tested() {
		return p.Src, inside
	}
	root, module := job.Module(Home)
	rel, ok := strings.CutPrefix(path+"/", module+"/")
	if root == "" || !ok {
		return codec.SourceConsts(""), inside
	}
	return codec.SourceConsts(filepath.Join(root, filepath.FromSlash(rel))), inside
}
