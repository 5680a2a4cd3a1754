//go:build go1.25

package codec

import (
	"go/token"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
)

// scalar prints a number or bool. If the context does not determine its type, the
// literal is converted, unless it is of the default type of such literals.
func (p *printer) scalar(s *schema.Schema, x uint64, in context) doc {
	if name := p.constName(s.Type, scalarKey(s, x)); name != "" {
		return text(name)
	}
	if name := s.ConstName(x); name != "" {
		return text(p.qualified(s.Type.PkgPath(), strings.SplitN(s.Type.String(), ".", 2)[0], name))
	}
	switch {
	case s.Type.Kind() == reflect.Bool:
		return p.plain(s.Type, reflect.TypeFor[bool](), strconv.FormatBool(x != 0), in)
	case s.IsFloat():
		return p.float(s.Type, x, in)
	case s.Type == reflect.TypeFor[time.Duration]() && time.Duration(x).Abs() >= time.Microsecond:
		return text(strings.ReplaceAll(durationText(time.Duration(x)), "time.", p.need("time", "time")+"."))
	case s.IsSigned():
		return p.plain(s.Type, reflect.TypeFor[int](), strconv.FormatInt(int64(x), 10), in)
	}
	return p.plain(s.Type, reflect.TypeFor[int](), strconv.FormatUint(x, 10), in)
}

// durationText returns a duration as a multiple of the largest possible unit, plus a
// remainder in nanoseconds if there is one: 90*time.Second + 1.
func durationText(d time.Duration) string {
	rest := d % time.Microsecond
	if d.Abs() >= time.Second && d%time.Millisecond != 0 {
		rest = d % time.Millisecond
	}
	d -= rest
	unit, name := time.Microsecond, "time.Microsecond"
	switch {
	case d%time.Hour == 0:
		unit, name = time.Hour, "time.Hour"
	case d%time.Minute == 0:
		unit, name = time.Minute, "time.Minute"
	case d%time.Second == 0:
		unit, name = time.Second, "time.Second"
	case d%time.Millisecond == 0:
		unit, name = time.Millisecond, "time.Millisecond"
	}
	text := name
	if d != unit {
		text = strconv.FormatInt(int64(d/unit), 10) + " * " + name
	}
	switch {
	case rest > 0:
		return strings.Replace(text, " * ", "*", 1) + " + " + strconv.FormatInt(int64(rest), 10)
	case rest < 0:
		return strings.Replace(text, " * ", "*", 1) + " - " + strconv.FormatInt(int64(-rest), 10)
	}
	return text
}

// plain prints a literal of type t. def is the type that Go infers for the literal;
// if it is not t, the literal may need a conversion.
func (p *printer) plain(t, def reflect.Type, literal string, in context) doc {
	if in.typed && t != def {
		return p.convert(t, text(literal))
	}
	return text(literal)
}

// float prints a float. A float that cannot be a constant, such as NaN, is printed
// as a call. Such a call has type float64, so it is converted in every context if t
// is another type.
func (p *printer) float(t reflect.Type, x uint64, in context) doc {
	f := math.Float64frombits(x)
	if special := special(f); special != "" {
		special = strings.Replace(special, "math", p.need("math", "math"), 1)
		if t != reflect.TypeFor[float64]() {
			return p.convert(t, text(special))
		}
		return text(special)
	}
	literal := floatLiteral(f, t.Bits())
	if in.typed && t == reflect.TypeFor[float64]() && !strings.ContainsAny(literal, ".e") {
		return text(literal + ".0")
	}
	return p.plain(t, reflect.TypeFor[float64](), literal, in)
}

// special returns the expression for a float that has no literal, or "" if it has
// one.
func special(f float64) string {
	switch {
	case f != f:
		return "math.NaN()"
	case math.IsInf(f, 1):
		return "math.Inf(1)"
	case math.IsInf(f, -1):
		return "math.Inf(-1)"
	case f == 0 && math.Signbit(f):
		return "math.Copysign(0, -1)"
	}
	return ""
}

// floatLiteral returns the shortest literal for a float of the given width. Whole
// numbers below 1e15 have no exponent.
func floatLiteral(f float64, bits int) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// complex prints a complex number, as a constant if both parts are constants.
func (p *printer) complex(s *schema.Schema, x [2]uint64, in context) doc {
	part, whole := reflect.TypeFor[float64](), reflect.TypeFor[complex128]()
	if s.Type.Kind() == reflect.Complex64 {
		part, whole = reflect.TypeFor[float32](), reflect.TypeFor[complex64]()
	}
	re, im := p.float(part, x[0], context{}), p.float(part, x[1], context{})
	d := row(text("complex("), re, text(", "), im, text(")"))
	constant := special(math.Float64frombits(x[0])) == "" && special(math.Float64frombits(x[1])) == ""
	switch {
	case constant && in.typed && s.Type != reflect.TypeFor[complex128](), !constant && s.Type != whole:
		return p.convert(s.Type, d)
	}
	return d
}

func (p *printer) text(s *schema.Schema, x string, in context) doc {
	quoted := strconv.Quote(x)
	if name := p.constName(s.Type, quoted); name != "" {
		return text(name)
	}
	// Only case files have raw strings: a report indents every line, which would
	// change a raw string.
	if p.style.Case && nicerRaw(x) {
		quoted = "`" + x + "`"
	}
	return p.plain(s.Type, reflect.TypeFor[string](), quoted, in)
}

// nicerRaw reports whether a string is easier to read in back quotes: it has several
// lines and nothing that must be escaped.
func nicerRaw(x string) bool {
	if strings.Count(strings.TrimSuffix(x, "\n"), "\n") == 0 || !utf8.ValidString(x) {
		return false
	}
	return !strings.ContainsFunc(x, func(r rune) bool {
		return r == '`' || r != '\n' && r != '\t' && !unicode.IsPrint(r)
	})
}

// constName returns the name of the constant of type t that has the value key (see
// ConstNames), or "" if there is none or it cannot be used.
func (p *printer) constName(t reflect.Type, key string) string {
	if p.style.Consts == nil || t.Name() == "" || t.PkgPath() == "" {
		return ""
	}
	name := p.style.Consts.Names(t.Name())[key]
	switch {
	case name == "" || t.PkgPath() == p.style.Pkg:
		return name
	case t.PkgPath()+"_test" == p.style.Pkg && token.IsExported(name):
		// An external test may use the exported constants of the package in the same
		// folder.
		pkg := strings.SplitN(t.String(), ".", 2)[0]
		return p.need(t.PkgPath(), pkg) + "." + name
	}
	return ""
}

// scalarKey returns the value of a scalar in the form that ConstNames uses. It is ""
// for fractions, because most decimal constants such as 0.1 do not equal the float
// exactly.
func scalarKey(s *schema.Schema, x uint64) string {
	switch {
	case s.Type.Kind() == reflect.Bool:
		return strconv.FormatBool(x != 0)
	case s.IsFloat():
		f := math.Float64frombits(x)
		if special(f) != "" || f != math.Trunc(f) {
			return ""
		}
		return floatLiteral(f, 64)
	case s.IsSigned():
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatUint(x, 10)
}
