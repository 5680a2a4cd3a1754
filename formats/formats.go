// Package formats has types for the inputs of common programs, with encoders: images, archives,
// markup, data and source code. The command allele run uses them, and so can any property:
//
//	allele.Check(t, func(t *allele.T, data []byte) { ... }, allele.Through(formats.PNG))
//
// A format is an ordinary Go type and a function that encodes it, so adding one takes a few
// lines: see images.go.
package formats

import (
	"slices"
	"testing"

	"github.com/allele-go/allele"
)

// Format is a format of inputs.
type Format struct {
	Name   string
	Suffix string // of files
	Doc    string // one line

	check func(t testing.TB, run func(*allele.T, []byte), options []allele.Option)
}

// Check checks a property over inputs of the format.
func (f Format) Check(t testing.TB, run func(*allele.T, []byte), options ...allele.Option) {
	t.Helper()
	f.check(t, run, options)
}

// of makes a format of an encoder.
func of[In any](name, suffix, doc string, encode func(In) ([]byte, error), options ...allele.Option) Format {
	return Format{name, suffix, doc, func(t testing.TB, run func(*allele.T, []byte), more []allele.Option) {
		t.Helper()
		allele.Check(t, run, slices.Concat([]allele.Option{allele.Through(encode)}, options, more)...)
	}}
}

// These are the types that the interfaces of formats can hold.
var (
	nodes       = allele.Variants[Node](Element{}, Text(""), Comment(""), CDATA(""), Instruction{})
	shapes      = allele.Variants[Shape](Rect{}, Circle{}, Path{}, Words{}, Group{})
	parts       = allele.Variants[Part](Box{}, Empty{}, Plain(""), Entity{}, Note(""), Script(""), Table{}, List{}, Input{}, Image{})
	values      = allele.Variants[Value](Null{}, Bool(false), Int(0), Float(0), String(""), Array{}, Object{})
	items       = allele.Variants[Item](Number{}, Octets{}, UTF8(""), OID{}, Bits{}, Sequence{})
	commands    = allele.Variants[Command](Create{}, Insert{}, Select{})
	statements  = allele.Variants[Stmt](Assign{}, Print{}, If{}, While{}, Loop{}, Func{}, Return{}, CallStmt{})
	expressions = allele.Variants[Expr](Num(0), Str(""), Truth(false), Var(0), Binary{}, Not{}, Call{}, Items{})
)

// All returns the formats, sorted by name.
func All() []Format {
	all := []Format{
		of("png", ".png", "images: PNG", PNG),
		of("gif", ".gif", "images: GIF, with several frames", GIF),
		of("jpeg", ".jpg", "images: JPEG", JPEG),
		of("bmp", ".bmp", "images: BMP", BMP),
		of("wav", ".wav", "sound: WAV", WAV),
		of("zip", ".zip", "archives: ZIP", ZIP),
		of("tar", ".tar", "archives: TAR", TAR),
		of("gzip", ".gz", "compressed files: GZIP", GZIP),
		of("xml", ".xml", "markup: XML with namespaces, comments and CDATA", XML, nodes),
		of("svg", ".svg", "markup: SVG drawings", SVG, shapes),
		of("html", ".html", "markup: HTML with all its elements and attributes", HTML, parts),
		of("css", ".css", "style sheets: CSS", CSS),
		of("json", ".json", "data: JSON", JSON, values),
		of("yaml", ".yaml", "data: YAML", YAML, values),
		of("ini", ".ini", "data: INI", INI),
		of("gob", ".gob", "data: Go's gob", Gob),
		of("der", ".der", "data: ASN.1 in DER", DER, items),
		of("pem", ".pem", "data: PEM blocks with DER in them", PEM, items),
		of("sql", ".sql", "source: SQL statements", SQL, commands),
		of("lua", ".lua", "source: Lua programs with coherent names", Lua, statements, expressions),
		of("python", ".py", "source: Python programs with coherent names", Python, statements, expressions),
		of("sh", ".sh", "source: shell scripts with coherent names", Shell, statements, expressions),
		of("javascript", ".js", "source: JavaScript programs with coherent names", JavaScript, statements, expressions),
	}
	slices.SortFunc(all, func(a, b Format) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}

// Named returns a format by its name.
func Named(name string) (f Format, ok bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return f, false
}
