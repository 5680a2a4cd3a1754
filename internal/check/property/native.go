//go:build go1.25

package property

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/gofuzz"
	"github.com/allele-go/allele/internal/words"
)

const (
	// nativeMax is how many files of a native corpus are run. All of them are run before
	// every search, also in plain go test.
	nativeMax = 1000
	// nativeSaid is how many skipped files are named in a message; the others are counted.
	nativeSaid = 5
)

// nativeSeeds returns the inputs in testdata/fuzz/FuzzX as seeds of TestX, if the arguments of
// the fuzz test have the types of the property's input: of its fields in order, or of the
// whole input. A file that cannot be used is skipped with a message.
func nativeSeeds(p *Property) (seeds []Seed) {
	p.TB.Helper()
	name, ok := strings.CutPrefix(p.Name, "Test")
	if !ok || strings.ContainsAny(name, "/#") {
		return nil // a fuzz test has one target, and belongs to the first Check of its test
	}
	dir := gofuzz.Folder("Fuzz" + name)
	names, more, err := gofuzz.Files(At(dir), nativeMax)
	var skipped []string
	if err != nil {
		skipped = append(skipped, err.Error())
	}
	misfit := ""
	for _, name := range names {
		file := filepath.Join(dir, name)
		values, err := gofuzz.Read(At(file), file)
		if err != nil {
			skipped = append(skipped, err.Error())
			continue
		}
		in, ok := fromArgs(p.World.Root.Type, values)
		if !ok {
			misfit = typesOf(values)
			continue
		}
		x, err := p.World.Read(in)
		if err != nil {
			skipped = append(skipped, fmt.Sprintf("%s:2: %v", file, err))
			continue
		}
		seeds = append(seeds, Seed{Prop: p, Term: x, From: file})
	}
	if misfit != "" {
		sayMisfit(p, dir, "Fuzz"+name, misfit)
	}
	if more > 0 {
		skipped = append(skipped, fmt.Sprintf("%s: %s more; at most %s are run", dir, words.Count(more, "file"), words.Group(nativeMax)))
	}
	if len(skipped) > 0 {
		note(p, skippedText(skipped))
	}
	return seeds
}

// sayMisfit reports that a corpus is for another input. In plain go test only -v shows it:
// the fuzz test and the test may be unrelated.
func sayMisfit(p *Property, dir, fuzz, types string) {
	p.TB.Helper()
	command, _, _ := strings.Cut(p.Commands().Show, " show ")
	text := fmt.Sprintf("%s has arguments of types %s, but the input of %s is %v; "+
		"to use them where they fit, run: %s corpus import -go %s %s",
		dir, types, p.Name, p.World.Root.Type, command, fuzz, p.Name)
	if p.Job.Mode == job.Plain {
		p.Logf("%s", text)
		return
	}
	note(p, text)
}

func skippedText(all []string) string {
	text := ""
	for i, s := range all {
		if i == nativeSaid {
			text += fmt.Sprintf("\nskipped %s more", words.Count(len(all)-i, "file"))
			break
		}
		text += "\nskipped " + s
	}
	return strings.TrimPrefix(text, "\n")
}

func typesOf(values []any) string {
	var types []string
	for _, v := range values {
		types = append(types, fmt.Sprintf("%T", v))
	}
	return "(" + strings.Join(types, ", ") + ")"
}

// fromArgs returns an input of type in that consists of the arguments of a fuzz target. It
// reports false if the types differ.
func fromArgs(in reflect.Type, args []any) (v reflect.Value, ok bool) {
	v = reflect.New(in).Elem()
	if len(args) == 1 && reflect.TypeOf(args[0]) == in {
		v.Set(reflect.ValueOf(args[0]))
		return v, true
	}
	if in.Kind() != reflect.Struct || in.NumField() != len(args) {
		return v, false
	}
	for i, arg := range args {
		if in.Field(i).Type != reflect.TypeOf(arg) {
			return v, false
		}
		field := reflect.NewAt(in.Field(i).Type, v.Field(i).Addr().UnsafePointer()).Elem() // an unexported field can be set like this
		field.Set(reflect.ValueOf(arg))
	}
	return v, true
}
