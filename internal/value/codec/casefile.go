//go:build go1.25

package codec

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Format is the version of the case file format that this package writes. It reads
// all versions up to this one.
const Format = 1

// ErrNewer is wrapped by Decode's error if the version of the file is above Format.
var ErrNewer = errors.New("written by a newer allele; update allele to read the file")

// Limits of a case file. Terms that people can read have a few hundred nodes. The
// limits only prevent a damaged file from taking all memory.
const (
	fileMax    = 16 << 20
	nestingMax = 50_000
	nodesMax   = 10_000_000
	lossesMax  = 1000 // further losses are not listed
)

// Header is the information about a case in its file. All of it is optional.
type Header struct {
	Test    string // name of the test that the case belongs to
	Verdict string
	Message string // message of the failure
	Found   string // how the case was found: seed, number of the run
	Made    string // how the encoder made the bytes: value and fault
	Shrunk  string // size before shrinking, and number of steps
	Runs    string // how the case must be run, if not in the usual way; see Runs
}

// Case is the content of a case file.
type Case struct {
	Header Header
	Term   term.Term
	Losses []Loss // parts that no longer fit the type, sorted by line
}

// Loss is a part of a case that no longer fits the type. It was replaced by the zero
// value, or by the simplest value if zero is not allowed.
type Loss struct {
	Line   int
	Path   string // path of the part in the input: in.Tree.L
	Reason string
	Cause  Cause
	Call   bool   // the part is a call
	Name   string // name of the function or type that the part begins with, if it has no qualifier
	Gone   bool   // the part is a field that the type no longer has, so nothing replaced it

	// The rest is for a Gone field. Field is its name, "" if the literal does not name it, and
	// Struct the name of its type. Like is what the field has probably become, as in Renames. If
	// that is not certain, Like is "", and Maybe has the possible names.
	Field, Struct string
	Like          string
	Maybe         []string

	foreign bool // the literal that has the Gone field names another type
}

// Cause is why a part of a case does not fit.
type Cause uint8

const (
	Misfit    Cause = iota // the type has changed, or the file contains a mistake
	NoBuilder              // the part calls a function that is not a builder here, or no builder makes the part
	NoText                 // the method that the part calls does not read this text any more
	NoVariant              // the interface has no such variant here
	Excluded               // a declared range or a list of values excludes the part
)

// Unfit is the error of Decode for a case of which no part fits.
type Unfit struct{ Loss }

func (u *Unfit) Error() string { return fmt.Sprintf("%d: %s", u.Line, u.Reason) }

// String returns the loss as "line: path: reason", to be printed after a file name.
func (l Loss) String() string { return fmt.Sprintf("%d: %s: %s", l.Line, l.Path, l.Reason) }

// Consts finds constants by name.
type Consts interface {
	Const(name string) (Const, bool)
}

const (
	magic     = "allele case"
	keyColumn = 8 // values of a header are aligned at this column
)

func (h *Header) pairs() []headerPair {
	return []headerPair{
		{"test", &h.Test}, {"verdict", &h.Verdict}, {"message", &h.Message},
		{"found", &h.Found}, {"made", &h.Made}, {"shrunk", &h.Shrunk}, {"runs", &h.Runs},
	}
}

type headerPair struct {
	key   string
	value *string
}

// Encode returns a case file with an expression, which must come from Print with
// Style.Case. See WithFields for the last part of a file.
func Encode(h Header, expr string) []byte {
	out := fmt.Appendf(nil, "// %s %d\n", magic, Format)
	for _, p := range h.pairs() {
		if *p.value != "" {
			out = fmt.Appendf(out, "// %-*s %s\n", keyColumn, p.key, oneLine(*p.value))
		}
	}
	return append(append(append(out, '\n'), expr...), '\n')
}

// oneLine quotes a header value if it contains line breaks or something else that
// would be lost when the line is read.
func oneLine(s string) string {
	odd := func(r rune) bool { return !unicode.IsGraphic(r) || r == unicode.ReplacementChar }
	if strings.ContainsFunc(s, odd) || s != strings.TrimSpace(s) || strings.HasPrefix(s, `"`) {
		return strconv.Quote(s)
	}
	return s
}

// Decode reads a case file as a term of the root type. Parts that do not fit the
// type are replaced and listed in Case.Losses. Decode fails only if the text is not
// an expression, is too large, comes from a newer allele, or does not fit the type
// at all. The error contains the file, the line and the reason. consts may be nil.
func Decode(w *schema.World, file string, data []byte, consts Consts) (Case, error) {
	return DecodeRenamed(w, file, data, consts, nil)
}

// DecodeRenamed is like Decode, for a case that was written before fields were renamed.
func DecodeRenamed(w *schema.World, file string, data []byte, consts Consts, renames Renames) (Case, error) {
	c, err := decode(w, data, consts, renames)
	if err != nil {
		return Case{}, fmt.Errorf("%s:%w", file, err)
	}
	return c, nil
}

func decode(w *schema.World, data []byte, consts Consts, renames Renames) (c Case, err error) {
	if len(data) > fileMax {
		return c, fmt.Errorf("1: the file is larger than %d MiB", fileMax>>20)
	}
	if c.Header, err = readHeader(string(data)); err != nil {
		return c, err
	}
	src, expr, err := parse(data)
	if err != nil {
		return c, err
	}
	r := newResolver(w, src, consts)
	r.renames = renames
	c.Term = r.root(expr)
	if r.err != nil {
		return c, r.err
	}
	slices.SortStableFunc(r.losses, func(a, b Loss) int { return a.Line - b.Line })
	c.Losses = r.losses
	return c, nil
}

// ReadHeader reads only the header of a case file, which does not depend on the
// type of the input.
func ReadHeader(file string, data []byte) (Header, error) {
	h, err := readHeader(string(data[:min(len(data), headerMax)]))
	if err != nil {
		return h, fmt.Errorf("%s:%w", file, err)
	}
	return h, nil
}

// headerMax is the number of bytes in which ReadHeader looks for the header. It is
// larger than any header.
const headerMax = 1 << 16

// readHeader reads the comment lines at the beginning of a file.
func readHeader(data string) (h Header, err error) {
	number := 0
	for line := range strings.Lines(data) {
		number++
		text, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !isComment && text != "" {
			break
		}
		text = strings.TrimSpace(text)
		if version, ok := strings.CutPrefix(text, magic+" "); ok {
			if err := checkFormat(strings.TrimSpace(version)); err != nil {
				return h, fmt.Errorf("%d: %w", number, err)
			}
			continue
		}
		h.set(text)
	}
	return h, nil
}

func checkFormat(version string) error {
	n, err := strconv.Atoi(version)
	switch {
	case err != nil || n < 1:
		return fmt.Errorf("%.20q is not a format number", version)
	case n > Format:
		return fmt.Errorf("case format %d: %w", n, ErrNewer)
	}
	return nil
}

// set reads a header line "key value". Lines with other keys are comments by people
// and are ignored.
func (h *Header) set(line string) {
	key, value, _ := strings.Cut(line, " ")
	for _, p := range h.pairs() {
		if key != p.key || *p.value != "" {
			continue
		}
		*p.value = strings.TrimSpace(value)
		if plain, err := strconv.Unquote(*p.value); err == nil && strings.HasPrefix(*p.value, `"`) {
			*p.value = plain
		}
	}
}
