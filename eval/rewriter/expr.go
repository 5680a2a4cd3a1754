package rewriter

import "fmt"

const ops = 24

// int returns an expression of type int.
func (p *printer) int(e Expr, v env) string {
	v.depth++
	if v.depth > 12 {
		return pick(v.ints, uint8(e.N))
	}
	x, y := e.kid(0), e.kid(1)
	two := func(format string) string { return fmt.Sprintf(format, p.int(x, v), p.int(y, v)) }
	switch e.Op % ops {
	case 1:
		return fmt.Sprintf("(%d)", e.N)
	case 2:
		return two("(%s + %s)")
	case 3:
		return fmt.Sprintf("(%s * %s)", p.varied(x, v), p.int(y, v))
	case 4:
		return two("(%s - %s)")
	case 5:
		return fmt.Sprintf("(%s / (%s | 1))", p.int(x, v), p.varied(y, v))
	case 6:
		return fmt.Sprintf("(%s %% (%s | 1))", p.int(x, v), p.varied(y, v))
	case 7:
		return fmt.Sprintf("(%s << (%s & 7))", p.varied(x, v), p.varied(y, v))
	case 8:
		return fmt.Sprintf("int(int8(%s) + int8(%s))", p.varied(x, v), p.varied(y, v))
	case 9:
		return fmt.Sprintf("leaf(%s)", p.int(x, v))
	case 10, 11, 12, 13:
		if len(v.calls) > 0 && !v.pure {
			return "(" + fmt.Sprintf(pick(v.calls, uint8(e.N)), p.varied(x, v), p.varied(y, v)) + ")"
		}
	case 14:
		return fmt.Sprintf("bit(%s)", p.bool(x, v))
	case 15:
		if !v.shadow["len"] {
			return fmt.Sprintf("len([]int{%s, 2, %s}[%s&1:])", p.int(x, v), p.int(y, v), p.varied(x, v))
		}
	case 16:
		return fmt.Sprintf("map[int]int{1: %s, 2: 5}[%s]", p.int(x, v), p.int(y, v))
	case 17:
		return fmt.Sprintf("[...]int{%s, 4, second}[%s&1]", p.int(x, v), p.varied(y, v))
	case 18:
		if !v.pure {
			return fmt.Sprintf("func() int { if %s { return %s }; return fourth }()", p.bool(x, v.closed()), p.int(y, v.closed()))
		}
	case 19:
		return fmt.Sprintf("int(uint8(%s) >> 1 &^ 3)", p.varied(x, v))
	case 20:
		return fmt.Sprintf(`int("héllo"[%s&3])`, p.varied(x, v))
	case 21:
		return fmt.Sprintf("(pair[byte, int]{`k\n`[0], %s}).val", p.int(x, v))
	case 22:
		return fmt.Sprintf("-(%s)", p.int(x, v))
	}
	return pick(v.ints, uint8(e.N))
}

// varied returns an expression that is not constant, so that no constant overflows.
func (p *printer) varied(e Expr, v env) string {
	return "(" + p.int(e, v) + " + " + v.ints[0] + ")"
}

// bool returns an expression of type bool.
func (p *printer) bool(e Expr, v env) string {
	v.depth++
	x, y := e.kid(0), e.kid(1)
	if v.depth > 12 {
		return fmt.Sprintf("(%s > %d)", v.ints[0], e.N)
	}
	two := func(format string) string { return fmt.Sprintf(format, p.bool(x, v), p.bool(y, v)) }
	switch e.Op % ops {
	case 1, 2:
		return two("(%s && %s)")
	case 3, 4:
		return two("(%s || %s)")
	case 5:
		return two("!(%s && !%s)")
	case 6:
		return fmt.Sprintf("(%s || %s && %s)", p.bool(x, v), p.bool(y, v), p.bool(e.kid(2), v))
	case 7:
		w := pick(v.ints, uint8(e.N))
		return fmt.Sprintf("(%[1]s == %[2]d || %[1]s == 2 || %[1]s > 7 && %[1]s < 9)", w, e.N)
	case 8:
		if v.shadow["bool"] {
			break
		}
		return fmt.Sprintf("bool(named(%s) && named(%s) || named(%s))", p.bool(x, v), p.bool(y, v), p.bool(e.kid(2), v))
	case 9:
		if !v.shadow["true"] && !v.shadow["false"] {
			return fmt.Sprintf("(%s && true || false)", p.bool(x, v))
		}
	case 10:
		return fmt.Sprintf("(yes && %s)", p.bool(x, v))
	case 11:
		return pick(v.bools, uint8(e.N))
	case 12:
		if !v.pure && !v.shadow["bool"] {
			return fmt.Sprintf("func() bool { out(%d); return %s || %s }()", e.N, p.bool(x, v.closed()), p.bool(y, v.closed()))
		}
	case 13:
		return two("(%s == %s)")
	case 14:
		return two("(%s != %s)")
	case 15:
		return fmt.Sprintf("(1 < 2 && %s || %s)", p.bool(x, v), p.bool(y, v))
	case 16:
		return fmt.Sprintf("(%s != 0 && %s > %s)", p.int(x, v), p.int(y, v), p.int(x, v))
	case 17:
		if v.shadow["bool"] {
			break
		}
		return fmt.Sprintf("([]bool{%s, %s})[%s&1]", p.bool(x, v), p.bool(y, v), p.varied(x, v))
	case 18:
		return fmt.Sprintf("(\n// before\n%s || // here\n%s && /* and */ %s)", p.bool(x, v), p.bool(y, v), p.bool(x, v))
	case 19:
		return fmt.Sprintf("(%s <= %s)", p.int(x, v), p.int(y, v))
	case 20:
		return fmt.Sprintf("(%s >= %s)", p.int(x, v), p.int(y, v))
	}
	return fmt.Sprintf("(%s > %s)", p.int(x, v), p.int(y, v))
}
