// Package formats searches for failures of any program, with inputs of a format that has a name.
// The command allele run calls it.
//
//	f, ok := formats.Named("png")         // one of All
//	f.Check(t, func(t *allele.T, file []byte) { ... })
//	formats.RunFile(t, "targets/x.json")  // allele run: the command line that the file describes
//
// A format is an ordinary Go type and a function that encodes it. They are in a package for each
// family:
//
//	image    pictures of pixels
//	sound    samples
//	archive  files in files, and compressed files
//	markup   trees of tags: XML, SVG
//	page     what a browser shows: HTML, CSS
//	data     structured values, as text and as bytes
//	code     programs with coherent names
//	sql      statements with coherent names
//
// All is the table of the formats. A new one is a type and an encoder in its family, and a row there.
// A property can also use an encoder alone:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(image.PNG))
package formats

import (
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/formats/archive"
	"github.com/allele-go/allele/formats/code"
	"github.com/allele-go/allele/formats/data"
	"github.com/allele-go/allele/formats/image"
	"github.com/allele-go/allele/formats/markup"
	"github.com/allele-go/allele/formats/page"
	"github.com/allele-go/allele/formats/sound"
	"github.com/allele-go/allele/formats/sql"
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

// All returns the formats, sorted by name.
func All() []Format {
	all := []Format{
		of("png", ".png", "images: PNG", image.PNG),
		of("gif", ".gif", "images: GIF, with several frames", image.GIF),
		of("jpeg", ".jpg", "images: JPEG", image.JPEG),
		of("bmp", ".bmp", "images: BMP", image.BMP),
		of("wav", ".wav", "sound: WAV", sound.WAV),
		of("zip", ".zip", "archives: ZIP", archive.ZIP),
		of("tar", ".tar", "archives: TAR", archive.TAR),
		of("gzip", ".gz", "compressed files: GZIP", archive.GZIP),
		of("xml", ".xml", "markup: XML with namespaces, comments and CDATA", markup.XML, markup.Nodes),
		of("svg", ".svg", "markup: SVG drawings", markup.SVG, markup.Shapes),
		of("html", ".html", "markup: HTML with all its elements and attributes", page.HTML, page.Nodes),
		of("css", ".css", "style sheets: CSS", page.CSS),
		of("json", ".json", "data: JSON", data.JSON, data.Values),
		of("yaml", ".yaml", "data: YAML", data.YAML, data.Values),
		of("ini", ".ini", "data: INI", data.INI),
		of("gob", ".gob", "data: Go's gob", data.Gob),
		of("der", ".der", "data: ASN.1 in DER", data.DER, data.Elements),
		of("pem", ".pem", "data: PEM blocks with DER in them", data.PEM, data.Elements),
		of("sql", ".sql", "source: SQL statements", sql.SQL, sql.Statements),
		of("lua", ".lua", "source: Lua programs with coherent names", code.Lua, code.Statements, code.Expressions),
		of("python", ".py", "source: Python programs with coherent names", code.Python, code.Statements, code.Expressions),
		of("sh", ".sh", "source: shell scripts with coherent names", code.Shell, code.Statements, code.Expressions),
		of("javascript", ".js", "source: JavaScript programs with coherent names", code.JavaScript, code.Statements, code.Expressions),
	}
	slices.SortFunc(all, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
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
