//go:build go1.25

package property

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/same"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// A stored case is written by one program and read by others: plain go test and the allele
// command know different builders, and the source changes. So there are three ways to read a
// case:
//
//   - All its functions are known: they are called.
//   - They are not, and the file also has the fields of the value: these are used. This is
//     written only if it is certain to make an equal value. See AddFields.
//   - The file has only fields, because plain go test wrote it, but this program builds the
//     type with functions that it has found in the source: the fields are used.
//
// A case that is read in none of these ways is not run. See NotRun.

// Reading is how a stored case is read.
type Reading uint8

const (
	Calls   Reading = iota // as an input of the property
	Fields                 // from the second expression of the file, which has fields only
	Literal                // without the functions that were found in the source
)

// As returns the property with the schemas for a way to read cases. Its runner makes runs
// of the same function.
func (p *Property) As(r Reading) (*Property, error) {
	if r == p.Reading {
		return p, nil
	}
	if q := p.as[r]; q != nil {
		return q, nil
	}
	decls := p.Settings.Decls
	if r == Literal {
		decls = append(slices.Clip(decls), schema.Decl{What: schema.Ignore{Builders: true}, Tier: schema.Local})
	} else {
		decls = onlyTypes(decls)
	}
	w, err := schema.Derive(p.World.Root.Type, decls)
	if err != nil {
		return nil, err
	}
	q := *p
	q.World, q.Reading = w, r
	if p.Runner != nil {
		q.Runner = p.Runner.In(w)
	}
	p.as[r] = &q
	return &q, nil
}

// onlyTypes returns the declarations that say which types and functions exist: variants of
// interfaces, constants, and functions that are values. Builders and limits are left out.
func onlyTypes(decls []schema.Decl) (kept []schema.Decl) {
	for _, d := range decls {
		d.Tier = min(d.Tier, schema.Global) // it is no error if one does not apply
		keep := false
		switch what := d.What.(type) {
		case schema.At:
			what.Sub = onlyTypes(what.Sub)
			d.What, keep = what, len(what.Sub) > 0
		case schema.Variants, schema.Likely:
			keep = true
		case schema.Values:
			keep = d.Type.Kind() == reflect.Func || d.Type.Kind() == reflect.Chan
		case *schema.Func, schema.Through, schema.Range, *schema.Match, schema.Trait, *schema.ShapeDecl, *schema.Mix, schema.From,
			schema.Ignore:
		}
		if keep {
			kept = append(kept, d)
		}
	}
	return kept
}

// NotRun is the error for a stored case that cannot be run in this program, although the
// file is correct.
type NotRun struct {
	File string
	Loss codec.Loss
}

// unknown reports whether the case calls a function, or has a variant, that this program
// does not know.
func (n *NotRun) unknown() bool {
	return n.Loss.Call && n.Loss.Cause == codec.NoBuilder || n.Loss.Cause == codec.NoVariant
}

func (n *NotRun) Error() string { return fmt.Sprintf("%s:%s", n.File, n.Loss) }

// decode reads a case file in the first of the three ways that works. It also returns the
// property that the case is an input of.
func decode(p *Property, file string, data []byte, renames codec.Renames) (codec.Case, *Property, error) {
	k, err := clean(p, file, data, renames)
	var n *NotRun
	if err == nil || !errors.As(err, &n) || n.Loss.Cause == codec.Excluded {
		return k, p, err // the options of the Check also hold for values that are made by fields
	}
	r := Literal
	if fields, ok := codec.Fields(data); ok {
		data, r = fields, Fields
	}
	if q, fails := p.As(r); fails == nil {
		if other, fails := clean(q, file, data, renames); fails == nil {
			if r == Fields {
				other.Header = k.Header
			}
			return other, q, nil
		}
	}
	return k, p, err
}

// clean reads a case file. A field that the type no longer has is left out. Anything else
// that does not fit is an error, because leaving it out would change the input.
func clean(p *Property, file string, data []byte, renames codec.Renames) (codec.Case, error) {
	k, err := codec.DecodeRenamed(p.World, file, data, p.Place.Src, renames)
	if unfit := (*codec.Unfit)(nil); errors.As(err, &unfit) {
		if k.Header, _ = codec.ReadHeader(file, data); unfit.Cause != codec.Misfit {
			return k, &NotRun{file, unfit.Loss}
		}
	}
	if err != nil {
		return k, err
	}
	var n *NotRun
	for _, l := range k.Losses {
		switch {
		case l.Gone:
		case l.Cause == codec.Misfit:
			return k, fmt.Errorf("%s:%s", file, l)
		case n == nil || l.Cause == codec.Excluded:
			n = &NotRun{file, l}
		}
	}
	if n != nil {
		return k, n
	}
	return k, nil
}

// AddFields adds the fields of an input to its case file, if they are certain to make an
// equal value. It calls the builders of the input, so it must only be called when the input
// is on disk, and for an input that does not end its process.
func AddFields(p *Property, file string, x term.Term) {
	if file == "" {
		return
	}
	fields := fieldsOf(p, x)
	if data, err := read(file); err == nil && fields != "" {
		p.Place.Write(file, codec.WithFields(data, fields)) // without it the case is still complete
	}
}

// fieldsOf is like fieldsText. It returns "" if the term calls no functions, or if one of them
// panics or does not return.
func fieldsOf(p *Property, x term.Term) string {
	q, err := p.As(Fields)
	if err != nil || !p.World.Calls(x) {
		return ""
	}
	text := make(chan string, 1) // a builder may end its goroutine, or never return
	go func() {
		result := ""
		defer func() {
			recover() // a builder may panic
			text <- result
		}()
		result = fieldsText(p, q, x)
	}()
	select {
	case fields := <-text:
		return fields
	case <-p.Stop():
		return ""
	}
}

// fieldsText returns an expression with fields only for the value of a term. It returns ""
// if there is none, or if the value is not a tree of fields that an equal value can be made
// of: builders may return pointers to variables that they also keep.
//
// q is p with the schemas for fields.
func fieldsText(p, q *Property, x term.Term) string {
	first, ok1 := p.World.Value(x)
	second, ok2 := p.World.Value(x)
	if !ok1 || !ok2 || !same.Apart(q.World.IsMade, first, second) {
		return ""
	}
	y, err := q.World.Read(first)
	if err != nil {
		return ""
	}
	text := q.CaseText(y)
	k, err := clean(q, "fields", []byte(text), nil)
	if err != nil || len(k.Losses) > 0 {
		return ""
	}
	again, ok := q.World.Value(k.Term)
	if !ok || !reflect.DeepEqual(first.Interface(), again.Interface()) || !reflect.DeepEqual(first.Interface(), second.Interface()) {
		return ""
	}
	return text
}

// notRunText returns what to say about stored cases that are not run, with the command that
// helps. It lists the first few.
func notRunText(p *Property, all []*NotRun) string {
	const shown = 3
	text := words.Count(len(all), "stored case") + " not run"
	for i, n := range all {
		if i == shown {
			text += fmt.Sprintf("\n    and %d more", len(all)-i)
			break
		}
		text += "\n    " + n.Error()
	}
	return text + "\n" + help(p, all[0])
}

func help(p *Property, n *NotRun) string {
	gone := n.Loss.Name != "" && p.Place.Src.Lacks(n.Loss.Name)
	switch {
	case n.unknown() && p.Job.Mode == job.Plain && !gone:
		return "allele test finds more types and functions in the source; to declare them for go test, run: " +
			p.Commands().Name + "facts -write " + p.Place.Tested() + "\n" +
			"if the type or function was renamed or removed, edit or delete the file"
	case n.unknown():
		return "no such type or function was found; if it was renamed or removed, edit or delete the file"
	case n.Loss.Cause == codec.NoText:
		return "the text makes no value any more; if that is intended, delete the file"
	}
	return "the options of this Check exclude the input; if that is intended, delete the file"
}

// Strict reports whether a stored case that is not run, or no longer the input that was
// stored, fails the test.
func Strict() bool { return os.Getenv("ALLELE_STRICT") == "1" }
