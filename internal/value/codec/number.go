//go:build go1.25

package codec

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"math"
)

// Const is the value of a constant expression and the name of its type.
type Const struct {
	Type  string // empty if the constant is untyped
	Value constant.Value
}

// number is the value of an expression of a scalar, string or complex type: a
// constant, or a float that cannot be a constant, such as NaN.
type number struct {
	Const
	float   float64
	special bool // the value is not a constant; it is stored in float
}

// evaluator evaluates constant expressions without a type checker. It accepts some
// expressions that Go rejects.
type evaluator struct {
	lookup     func(name string) (Const, bool)
	underlying func(typeName string) string // underlying type of a type declared in the same package; may be nil
	iota       constant.Value               // nil outside of a const declaration
}

// Limits of a constant expression. Without them, one line of text could take hours
// to evaluate.
const (
	literalMax = 10_000 // length of a number literal
	bitsMax    = 4096   // bits of an integer result
	textMax    = 1 << 20
)

var (
	errTooLarge = errors.New("the constant is too large")
	errNotConst = errors.New("not a constant expression")
)

func (ev *evaluator) eval(e ast.Expr) (number, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return ev.eval(e.X)
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		return ev.name(e.Name)
	case *ast.SelectorExpr:
		return ev.selector(e)
	case *ast.UnaryExpr:
		return ev.unary(e)
	case *ast.BinaryExpr:
		return ev.binary(e)
	case *ast.CallExpr:
		return ev.call(e)
	}
	return number{}, errNotConst
}

func constOf(v constant.Value) (number, error) {
	if v.Kind() == constant.Unknown {
		return number{}, errNotConst
	}
	return number{Const: Const{Value: v}}, nil
}

func literal(e *ast.BasicLit) (number, error) {
	if e.Kind != token.STRING && len(e.Value) > literalMax {
		return number{}, errTooLarge
	}
	return constOf(constant.MakeFromLiteral(e.Value, e.Kind, 0))
}

func (ev *evaluator) name(name string) (number, error) {
	switch name {
	case "true", "false":
		return constOf(constant.MakeBool(name == "true"))
	case "iota":
		if ev.iota != nil {
			return constOf(ev.iota)
		}
	}
	if c, ok := ev.lookup(name); ok {
		return number{Const: c}, nil
	}
	return number{}, fmt.Errorf("no constant is named %s", name)
}

// selector evaluates pkg.Name: a constant of math or time, or a constant of the
// package under test, qualified as in an external test.
func (ev *evaluator) selector(e *ast.SelectorExpr) (number, error) {
	pkg, ok := e.X.(*ast.Ident)
	if !ok {
		return number{}, errNotConst
	}
	if c, ok := wellKnown[pkg.Name+"."+e.Sel.Name]; ok {
		return number{Const: c}, nil
	}
	return ev.name(e.Sel.Name)
}

// wellKnown are constants of the standard library that people write in cases.
var wellKnown = map[string]Const{
	"math.MaxInt": untyped(math.MaxInt), "math.MinInt": untyped(math.MinInt),
	"math.MaxInt8": untyped(math.MaxInt8), "math.MinInt8": untyped(math.MinInt8), "math.MaxUint8": untyped(math.MaxUint8),
	"math.MaxInt16": untyped(math.MaxInt16), "math.MinInt16": untyped(math.MinInt16), "math.MaxUint16": untyped(math.MaxUint16),
	"math.MaxInt32": untyped(math.MaxInt32), "math.MinInt32": untyped(math.MinInt32), "math.MaxUint32": untyped(math.MaxUint32),
	"math.MaxInt64": untyped(math.MaxInt64), "math.MinInt64": untyped(math.MinInt64),
	"math.MaxUint": {Value: constant.MakeUint64(math.MaxUint)}, "math.MaxUint64": {Value: constant.MakeUint64(math.MaxUint64)},
	"math.MaxFloat32":             {Value: constant.MakeFloat64(math.MaxFloat32)},
	"math.MaxFloat64":             {Value: constant.MakeFloat64(math.MaxFloat64)},
	"math.SmallestNonzeroFloat32": {Value: constant.MakeFloat64(math.SmallestNonzeroFloat32)},
	"math.SmallestNonzeroFloat64": {Value: constant.MakeFloat64(math.SmallestNonzeroFloat64)},
	"math.Pi":                     {Value: constant.MakeFloat64(math.Pi)},
	"math.E":                      {Value: constant.MakeFloat64(math.E)},
	"time.Nanosecond":             duration(1),
	"time.Microsecond":            duration(1e3),
	"time.Millisecond":            duration(1e6),
	"time.Second":                 duration(1e9),
	"time.Minute":                 duration(60e9),
	"time.Hour":                   duration(3600e9),
}

func untyped(x int64) Const { return Const{Value: constant.MakeInt64(x)} }

func duration(ns int64) Const { return Const{Type: "Duration", Value: constant.MakeInt64(ns)} }

func (ev *evaluator) unary(e *ast.UnaryExpr) (number, error) {
	x, err := ev.eval(e.X)
	if err != nil {
		return x, err
	}
	if x.special {
		if e.Op == token.SUB {
			x.float = -x.float
		}
		return x, nil
	}
	prec := uint(0)
	switch k := x.Value.Kind(); {
	case (e.Op == token.ADD || e.Op == token.SUB) && (k == constant.Int || k == constant.Float || k == constant.Complex):
	case e.Op == token.NOT && k == constant.Bool:
	case e.Op == token.XOR && k == constant.Int:
		prec = ev.unsignedBits(x.Type)
	default:
		return x, errNotConst
	}
	x.Value = constant.UnaryOp(e.Op, x.Value, prec)
	return x, nil
}

// unsignedBits returns the width of an unsigned type, and 0 for other types. The
// operator ^ needs the width, because its result is not negative for unsigned types.
func (ev *evaluator) unsignedBits(typ string) uint {
	const typesMax = 100 // stops at a cycle: type A B; type B A
	for range typesMax {
		switch typ {
		case "uint8", "byte":
			return 8
		case "uint16":
			return 16
		case "uint32":
			return 32
		case "uint", "uint64", "uintptr":
			return 64
		}
		if ev.underlying == nil {
			return 0
		}
		typ = ev.underlying(typ)
	}
	return 0
}

func (ev *evaluator) binary(e *ast.BinaryExpr) (number, error) {
	x, err := ev.eval(e.X)
	if err != nil {
		return x, err
	}
	y, err := ev.eval(e.Y)
	if err != nil {
		return y, err
	}
	if x.special || y.special {
		return x, errNotConst
	}
	if e.Op == token.SHL || e.Op == token.SHR {
		return shift(x, e.Op, y)
	}
	if x.Type == "" {
		x.Type = y.Type
	}
	x.Value, err = operate(x.Value, e.Op, y.Value)
	return x, err
}

func shift(x number, op token.Token, y number) (number, error) {
	v, n := constant.ToInt(x.Value), constant.ToInt(y.Value)
	count, exact := constant.Uint64Val(n)
	switch {
	case v.Kind() != constant.Int || n.Kind() != constant.Int:
		return x, errNotConst
	case !exact || count > bitsMax || op == token.SHL && constant.BitLen(v)+int(count) > bitsMax:
		return x, errTooLarge
	}
	x.Value = constant.Shift(v, op, uint(count))
	return x, nil
}

// operate applies a binary operator. It checks the operands first, because package
// constant panics if they do not fit the operator.
func operate(x constant.Value, op token.Token, y constant.Value) (constant.Value, error) {
	a, b := x.Kind(), y.Kind()
	isText := a == constant.String && b == constant.String
	isInt := a == constant.Int && b == constant.Int
	isNumber := a >= constant.Int && b >= constant.Int
	switch op {
	case token.ADD:
		if isText && len(constant.StringVal(x))+len(constant.StringVal(y)) > textMax {
			return nil, errTooLarge
		}
		isNumber = isNumber || isText
	case token.SUB, token.MUL:
	case token.QUO:
		if isInt {
			op = token.QUO_ASSIGN // package constant uses it for integer division
		}
		isNumber = isNumber && constant.Sign(y) != 0
	case token.REM:
		isNumber = isInt && constant.Sign(y) != 0
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		isNumber = isInt
	default:
		return nil, errNotConst
	}
	if !isNumber {
		return nil, errNotConst
	}
	return bounded(constant.BinaryOp(x, op, y))
}

func bounded(v constant.Value) (constant.Value, error) {
	switch {
	case v.Kind() == constant.Unknown:
		return nil, errNotConst
	case v.Kind() == constant.Int && constant.BitLen(v) > bitsMax:
		return nil, errTooLarge
	}
	return v, nil
}

// call evaluates a conversion, or a call of one of a few known functions.
func (ev *evaluator) call(e *ast.CallExpr) (number, error) {
	name := typeKey(e.Fun)
	args := make([]number, len(e.Args))
	for i := range e.Args {
		if i == 2 {
			return number{}, errNotConst
		}
		var err error
		if args[i], err = ev.eval(e.Args[i]); err != nil {
			return number{}, err
		}
	}
	switch {
	case isMath(e.Fun):
		return mathCall(name, args)
	case name == "complex" && len(args) == 2:
		return complexCall(args[0], args[1])
	case name == "len" && len(args) == 1 && args[0].text():
		return constOf(constant.MakeInt64(int64(len(constant.StringVal(args[0].Value)))))
	case len(args) == 1:
		return converted(args[0], name)
	}
	return number{}, errNotConst
}

func (n number) text() bool { return !n.special && n.Value.Kind() == constant.String }

func isMath(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "math"
}

// mathCall evaluates a call of a function of package math that returns floats for
// which Go has no literals.
func mathCall(name string, args []number) (number, error) {
	special := func(f float64) (number, error) {
		return number{Const: Const{Type: "float64"}, float: f, special: true}, nil
	}
	switch {
	case name == "NaN" && len(args) == 0:
		return special(math.NaN())
	case name == "Inf" && len(args) == 1:
		sign, _ := args[0].float64()
		return special(math.Inf(int(max(-1, min(sign, 1)))))
	case name == "Copysign" && len(args) == 2:
		f, err := args[0].float64()
		sign, signErr := args[1].float64()
		n, _ := special(math.Copysign(f, sign))
		return n, errors.Join(err, signErr)
	case (name == "Float64frombits" || name == "Float32frombits") && len(args) == 1 && !args[0].special:
		bits, exact := constant.Uint64Val(constant.ToInt(args[0].Value))
		if !exact {
			return number{}, errNotConst
		}
		if name == "Float32frombits" {
			return special(float64(math.Float32frombits(uint32(bits))))
		}
		return special(math.Float64frombits(bits))
	}
	return number{}, fmt.Errorf("math.%s is not supported here", name)
}

// complexCall evaluates complex(re, im) if both parts are constants. It fails for
// special parts, which resolver.complex handles.
func complexCall(re, im number) (number, error) {
	if re.special || im.special {
		return number{}, errNotConst
	}
	r, i := constant.ToFloat(re.Value), constant.ToFloat(im.Value)
	if r.Kind() != constant.Float || i.Kind() != constant.Float {
		return number{}, errNotConst
	}
	return constOf(constant.BinaryOp(constant.ToComplex(r), token.ADD, constant.MakeImag(i)))
}

// converted returns x with another type. It does not change a constant value: a
// float such as 1.0 becomes an integer later, when it is stored.
func converted(x number, typ string) (number, error) {
	x.Type = typ
	if x.special && typ == "float32" {
		x.float = float64(float32(x.float))
	}
	return x, nil
}

// float64 returns the float64 that is nearest to n. It is infinite if n is too
// large.
func (n number) float64() (float64, error) {
	if n.special {
		return n.float, nil
	}
	v := constant.ToFloat(n.Value)
	if v.Kind() != constant.Float && v.Kind() != constant.Int {
		return 0, errNotConst
	}
	f, _ := constant.Float64Val(v)
	return f, nil
}
