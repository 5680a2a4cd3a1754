//go:build go1.25

package codec

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"reflect"
	"strconv"

	"github.com/allele-go/allele/internal/value/schema"
)

func (r *resolver) scalar(s *schema.Schema, e ast.Expr) {
	x, err := r.number(s, e)
	switch {
	case err != nil:
		r.unfit(s, e, "%v", err)
	case !s.Holds(x):
		r.because(Excluded, func() { r.unfit(s, e, "%s is outside the declared range", describe(e)) })
	default:
		r.open(s, int(s.Verbatim(x, r.out)), x)
	}
}

// lastName returns the name of a constant, without its package. It returns "" for other expressions.
func lastName(e ast.Expr) string {
	switch e := unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// number evaluates an expression and returns the X of the scalar's node (see
// schema.ScalarBits).
func (r *resolver) number(s *schema.Schema, e ast.Expr) (uint64, error) {
	if x, ok := s.ConstNamed(lastName(e)); ok {
		return x, nil
	}
	n, err := r.consts.eval(e)
	if err != nil {
		if errors.Is(err, errNotConst) {
			return 0, errors.New(cannotUse(e, s.Type.String()))
		}
		return 0, err
	}
	if s.IsFloat() {
		return floatBits(s, n, e)
	}
	if n.special {
		return 0, errors.New(cannotUse(e, s.Type.String()))
	}
	if s.Type.Kind() == reflect.Bool {
		if n.Value.Kind() != constant.Bool {
			return 0, errors.New(cannotUse(e, "bool"))
		}
		if constant.BoolVal(n.Value) {
			return 1, nil
		}
		return 0, nil
	}
	return integerBits(s, n.Value, e)
}

func integerBits(s *schema.Schema, v constant.Value, e ast.Expr) (uint64, error) {
	v = constant.ToInt(v)
	if v.Kind() != constant.Int {
		return 0, errors.New(cannotUse(e, s.Type.String()))
	}
	x, exact := constant.Uint64Val(v)
	shift := 64 - s.Type.Bits()
	back := x << shift >> shift
	if s.IsSigned() {
		var i int64
		i, exact = constant.Int64Val(v)
		x, back = uint64(i), uint64(i<<shift>>shift)
	}
	if !exact || x != back {
		return 0, fmt.Errorf("%s overflows %v", describe(e), s.Type)
	}
	return x, nil
}

func floatBits(s *schema.Schema, n number, e ast.Expr) (uint64, error) {
	f, err := n.float64()
	if err != nil {
		return 0, errors.New(cannotUse(e, s.Type.String()))
	}
	if s.Type.Bits() == 32 {
		if narrow := float32(f); n.special {
			f = float64(narrow)
		} else {
			narrow, _ = constant.Float32Val(constant.ToFloat(n.Value))
			f = float64(narrow)
		}
	}
	switch {
	case n.special:
	case math.IsInf(f, 0):
		return 0, fmt.Errorf("%s overflows %v", describe(e), s.Type)
	case rounded(n.Value, f, s.Type.Bits(), e):
		return 0, fmt.Errorf("%s is not a %v", describe(e), s.Type)
	}
	return schema.FloatBits(f), nil
}

// rounded reports whether a literal was written for another type, which has more digits than a
// float of this width: then f is another number. Only literals are checked, because the value of
// an expression such as 1.0 / 3 is hardly ever a float. People may write more digits of a number
// than a float64 has.
func rounded(v constant.Value, f float64, bits int, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || bits == 64 && lit.Kind == token.FLOAT {
		return false
	}
	shortest := constant.MakeFromLiteral(strconv.FormatFloat(math.Abs(f), 'g', -1, bits), token.FLOAT, 0)
	if constant.Sign(v) < 0 {
		v, f = constant.UnaryOp(token.SUB, v, 0), -f
	}
	return !constant.Compare(v, token.EQL, shortest) && !constant.Compare(v, token.EQL, constant.MakeFloat64(f))
}

// stringOf evaluates an expression as a string.
func (r *resolver) stringOf(e ast.Expr) (string, error) {
	n, err := r.consts.eval(e)
	if err == nil && n.text() {
		return constant.StringVal(n.Value), nil
	}
	if err == nil || errors.Is(err, errNotConst) {
		err = errors.New(cannotUse(e, "string"))
	}
	return "", err
}

func (r *resolver) text(s *schema.Schema, e ast.Expr) {
	x, err := r.stringOf(e)
	if err != nil {
		r.unfit(s, e, "%v", err)
		return
	}
	r.raw(s, x)
}

// bytes resolves a byte slice: nil, a converted string, or a list of numbers.
func (r *resolver) bytes(s *schema.Schema, e ast.Expr) {
	if r.isNil(s.Type, e) {
		r.open(s, 0, 0)
		return
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			if x, err := r.stringOf(unparen(e.Args[0])); err == nil {
				r.raw(s, x)
				return
			}
		}
	case *ast.CompositeLit:
		if elems, length, ok := r.elements(e, r.room()); ok && length <= r.room() {
			r.raw(s, string(r.byteElems(elems)))
			return
		}
	}
	r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
}

func (r *resolver) byteElems(elems []ast.Expr) []byte {
	b := make([]byte, len(elems))
	for i, e := range elems {
		if e == nil {
			continue
		}
		var err error
		if b[i], err = r.byteOf(e); err != nil {
			r.under(step{index: i}, func() { r.lose(e, "%v", err) })
		}
	}
	return b
}

func (r *resolver) byteOf(e ast.Expr) (byte, error) {
	n, err := r.consts.eval(e)
	if err != nil && !errors.Is(err, errNotConst) {
		return 0, err
	}
	if err == nil && !n.special {
		if x, exact := constant.Uint64Val(constant.ToInt(n.Value)); exact && x <= math.MaxUint8 {
			return byte(x), nil
		}
	}
	return 0, errors.New(cannotUse(e, "byte"))
}

// isNil reports whether e is nil, or nil converted to t. A call such as NewList(nil) is not:
// it may be a builder that this program does not know.
func (r *resolver) isNil(t reflect.Type, e ast.Expr) bool {
	e = unparen(e)
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 && !c.Ellipsis.IsValid() &&
		(isType(unparen(c.Fun)) && !isSelector(c.Fun) || typeKey(c.Fun) == r.keyOf(t)) {
		e = unparen(c.Args[0])
	}
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

func isSelector(e ast.Expr) bool { _, ok := unparen(e).(*ast.SelectorExpr); return ok }

// complex resolves a complex number: complex(a, b), with or without a conversion, or
// a constant. The parts a and b are resolved separately, because a part such as NaN
// is not a constant.
func (r *resolver) complex(s *schema.Schema, e ast.Expr) {
	whole, part := e, s.Ctors[0].Fields[0].S
	for {
		c, ok := e.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			break
		}
		e = unparen(c.Args[0])
	}
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 2 && typeKey(c.Fun) == "complex" {
		at := r.open(s, 0, 0)
		r.under(step{name: "real"}, func() { r.value(part, c.Args[0]) })
		r.under(step{name: "imag"}, func() { r.value(part, c.Args[1]) })
		r.seal(at)
		return
	}
	n, err := r.consts.eval(e)
	if err != nil || n.special || n.Value.Kind() < constant.Int {
		r.unfit(s, whole, "%s", cannotUse(whole, s.Type.String()))
		return
	}
	at := r.open(s, 0, 0)
	r.under(step{name: "real"}, func() { r.part(part, constant.Real(n.Value), e) })
	r.under(step{name: "imag"}, func() { r.part(part, constant.Imag(n.Value), e) })
	r.seal(at)
}

func (r *resolver) part(s *schema.Schema, v constant.Value, e ast.Expr) {
	x, err := floatBits(s, number{Const: Const{Value: v}}, e)
	if err != nil || !s.Holds(x) {
		r.unfit(s, e, "%s does not fit into %v", describe(e), s.Type)
		return
	}
	r.open(s, 0, x)
}
