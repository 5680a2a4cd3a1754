//go:build go1.25

package fault

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// gates collects the declarations that the gates of a package need. They contain no
// generic code, because calls of it would need a newer version of the language than
// the package may have.
//
// A gate is two functions. The first one is small enough to be inlined; it calls the second
// one if the gate is not off. The second one must not be inlined into the first, or the first
// would be too large.
type gates struct {
	pkg      *load.Package
	declared map[string]string // by name
	tick     bool
	guard    bool
	catch    bool
	size     bool
}

func newGates(pkg *load.Package) *gates { return &gates{pkg: pkg, declared: map[string]string{}} }

// declare adds a declaration and returns its name.
func (g *gates) declare(name, text string) string {
	g.declared[name] = text
	return name
}

// title returns the name of a basic type as a part of other names.
func title(b *types.Basic) string {
	name := types.Typ[b.Kind()].Name()
	return strings.ToUpper(name[:1]) + name[1:]
}

// alias returns a name for a basic type that no declaration in a function hides.
func (g *gates) alias(k types.BasicKind) string {
	b := types.Typ[k]
	return g.declare("allele"+title(b)+"_", fmt.Sprintf("type allele%s_ = %s", title(b), b.Name()))
}

// binary declares a gate with two operands. slow is the call of the function that selects
// among the original value and the changed ones.
func (g *gates) binary(name string, operands, result, op, slow string) string {
	short := strings.TrimSuffix(name, "_")
	return g.declare(name, fmt.Sprintf(`func %[1]s(s int, %[3]s) %[4]s {
	if alleleSite_[s] != 0 {
		return %[2]sSlow_(s, a, b)
	}
	return a %[5]s b
}

//go:noinline
func %[2]sSlow_(s int, %[3]s) %[4]s {
	%[6]s
}`, name, short, operands, result, op, slow))
}

func (g *gates) compare(op token.Token, b *types.Basic) string {
	c := comparisons[op]
	g.selects(types.Typ[types.Bool])
	slow := fmt.Sprintf("return alleleSelBool_(s, a %s b, a %s b, a %s b)", op, c.boundary, c.negate)
	return g.binary("allele"+c.name+title(b)+"_", "a, b "+b.Name(), "bool", op.String(), slow)
}

func (g *gates) math(op token.Token, b *types.Basic) string {
	a := arithmetics[op]
	g.selects(b)
	sel := "alleleSel" + title(b) + "_"
	slow := fmt.Sprintf("return %s(s, a %s b, a %s b, a %s b)", sel, op, a.to, op)
	switch {
	case b.Info()&types.IsString != 0:
		slow = fmt.Sprintf("return %s(s, a + b, a, b)", sel)
	case b.Info()&types.IsInteger == 0:
	case op == token.MUL:
		slow = `if b == 0 {
		switch alleleMode_(s) {
		case 1:
			alleleNote_(s, 1)
		case 2:
			return a / b
		}
		return a * b
	}
	` + slow
	case op == token.QUO || op == token.REM:
		slow = fmt.Sprintf(`if b == 0 {
		switch alleleMode_(s) {
		case 1:
			alleleNote_(s, 1)
		case 2:
			return a * b
		}
		return a %s b
	}
	`, op) + slow
	}
	return g.binary("allele"+a.name+title(b)+"_", "a, b "+b.Name(), b.Name(), op.String(), slow)
}

// joins returns what declares the gate of a concatenation. Its first change leaves only the left operand, and if there is no
// such change, only the right one.
func (g *gates) joins(left bool) func() string {
	text := types.Typ[types.String]
	if left {
		return func() string { return g.math(token.ADD, text) }
	}
	return func() string {
		g.selects(text)
		return g.binary("alleleTailString_", "a, b string", "string", "+", "return alleleSelString_(s, a + b, b, a + b)")
	}
}

func (g *gates) shift(op token.Token, b, count *types.Basic) string {
	g.selects(b)
	a := arithmetics[op]
	slow := fmt.Sprintf("return alleleSel%s_(s, a %s b, a %s b, a %s b)", title(b), op, a.to, op)
	return g.binary("allele"+a.name+title(b)+title(count)+"_", "a "+b.Name()+", b "+count.Name(), b.Name(), op.String(), slow)
}

// selects declares the function that selects a value of a type, and records which changes
// give another one. Two floats are the same if no program can tell them apart.
func (g *gates) selects(b *types.Basic) {
	differ := "%s != o"
	if b.Info()&types.IsFloat != 0 {
		differ = "(%[1]s != o || o == 0 && 1/%[1]s != 1/o) && (%[1]s == %[1]s || o == o)"
	}
	g.declare("alleleSel"+title(b)+"_", fmt.Sprintf(`func alleleSel%[1]s_(s int, o, v, w %[2]s) %[2]s {
	switch alleleMode_(s) {
	case 1:
		d := uint8(0)
		if %[3]s {
			d = 1
		}
		if %[4]s {
			d |= 2
		}
		alleleNote_(s, d)
	case 2:
		return v
	case 3:
		return w
	}
	return o
}`, title(b), b.Name(), fmt.Sprintf(differ, "v"), fmt.Sprintf(differ, "w")))
}

// unary declares a gate with one operand.
func (g *gates) unary(name, typ, value, slow string) string {
	short := strings.TrimSuffix(name, "_")
	return g.declare(name, fmt.Sprintf(`func %[1]s(s int, a %[3]s) %[3]s {
	if alleleSite_[s] != 0 {
		return %[2]sSlow_(s, a)
	}
	return %[4]s
}

//go:noinline
func %[2]sSlow_(s int, a %[3]s) %[3]s {
	%[5]s
}`, name, short, typ, value, slow))
}

func (g *gates) not() string {
	g.selects(types.Typ[types.Bool])
	return g.unary("alleleNot_", "bool", "a", "return alleleSelBool_(s, a, !a, a)")
}

func (g *gates) negative(b *types.Basic) string {
	g.selects(b)
	return g.unary("alleleNeg"+title(b)+"_", b.Name(), "-a", fmt.Sprintf("return alleleSel%s_(s, -a, a, -a)", title(b)))
}

// constant declares the gate of a constant, or of a result: Const adds or subtracts 1, Up
// adds, Down subtracts, Zero and Empty replace the value.
func (g *gates) constant(kind string, b *types.Basic) string {
	g.selects(b)
	values := strings.Join(constantValues[kind], ", ")
	return g.unary("allele"+kind+title(b)+"_", b.Name(), "a", fmt.Sprintf("return alleleSel%s_(s, a, %s)", title(b), values))
}

var constantValues = map[string][]string{"Const": {"a + 1", "a - 1"}, "Up": {"a + 1", "a"}, "Down": {"a - 1", "a"},
	"Zero": {"0", "a"}, "Empty": {`""`, "a"}}

// compared declares the gate of a constant that is an operand of a comparison. It has an
// argument for each change, which says whether the comparison has another result with it.
func (g *gates) compared(kind string, b *types.Basic) string {
	v := constantValues[kind]
	name := "allele" + kind + "If" + title(b)
	return g.declare(name+"_", fmt.Sprintf(`func %[1]s_(s int, a %[2]s, v, w bool) %[2]s {
	if alleleSite_[s] != 0 {
		return %[1]sSlow_(s, a, v, w)
	}
	return a
}

//go:noinline
func %[1]sSlow_(s int, a %[2]s, v, w bool) %[2]s {
	switch alleleMode_(s) {
	case 1:
		d := uint8(0)
		if v {
			d = 1
		}
		if w {
			d |= 2
		}
		alleleNote_(s, d)
	case 2:
		return %[3]s
	case 3:
		return %[4]s
	}
	return a
}`, name, b.Name(), v[0], v[1]))
}

// one declares the gate of the 1 that ++ adds.
func (g *gates) one(b *types.Basic) string {
	g.selects(b)
	name := "alleleOne" + title(b)
	return g.declare(name+"_", fmt.Sprintf(`func %[1]s_(s int) %[2]s {
	if alleleSite_[s] != 0 {
		return %[1]sSlow_(s)
	}
	return 1
}

//go:noinline
func %[1]sSlow_(s int) %[2]s {
	var zero %[2]s
	return alleleSel%[3]s_(s, 1, zero-1, 0)
}`, name, b.Name(), title(b)))
}

// err declares the gate of a result of type error.
func (g *gates) err() string {
	return g.unary("alleleErr_", "error", "a", `switch alleleMode_(s) {
	case 1:
		if a != nil {
			alleleNote_(s, 1)
		} else {
			alleleNote_(s, 0)
		}
	case 2:
		return nil
	}
	return a`)
}

// sure is GateSure of package hook.
const sure = 128

// logic declares one of the gates of && and ||. Left has the value of the right operand as another argument, and
// Flip belongs to it. The others are for a right operand with effects, or one that may panic. Without the fault it is
// evaluated where the left one does not decide, with the fault where it does. So the fault always may make a
// difference, which the gate Lazy of the left operand notes. The gate of the right one, AndRight or OrRight, knows
// whether the results differ.
func (g *gates) logic(kind string) string {
	noteIf := func(cond, bits string) string {
		return "if " + cond + " {\n\t\t\talleleNote_(s, " + bits + ")\n\t\t} else {\n\t\t\talleleNote_(s, 0)\n\t\t}"
	}
	differs := fmt.Sprint(sure | 1)
	more, note, on := "", "", ""
	switch kind {
	case "Left":
		more, note = ", b", noteIf("a != b", "1")
	case "Lazy":
		note = "alleleNote_(s, 1)"
	case "AndRight":
		note, on = noteIf("!a", differs), "if a {\n\t\t\talleleDiff_[s] |= "+differs+"\n\t\t}\n\t\t"
	case "OrRight":
		note, on = noteIf("a", differs), "if !a {\n\t\t\talleleDiff_[s] |= "+differs+"\n\t\t}\n\t\t"
	}
	return g.declare("allele"+kind+"_", fmt.Sprintf(`func allele%[1]s_(s int, a%[2]s bool) bool {
	if alleleSite_[s] != 0 {
		return allele%[1]sSlow_(s, a%[2]s)
	}
	return a
}

//go:noinline
func allele%[1]sSlow_(s int, a%[2]s bool) bool {
	switch alleleMode_(s) {
	case 1:
		%[3]s
	case 2:
		%[4]sreturn !a
	}
	return a
}`, kind, more, note, on))
}

// condition declares a gate that is the condition of an if statement.
func (g *gates) condition(name, params, args, value, note string) string {
	return g.declare("allele"+name+"_", fmt.Sprintf(`func allele%[1]s_(s int%[2]s) bool {
	if alleleSite_[s] != 0 {
		return allele%[1]sSlow_(s%[3]s)
	}
	return %[4]s
}

//go:noinline
func allele%[1]sSlow_(s int%[2]s) bool {
	switch alleleMode_(s) {
	case 1:
		%[5]s
	case 2:
		return !(%[4]s)
	}
	return %[4]s
}`, name, params, args, value, note))
}

const noteIf = `if differs {
			alleleNote_(s, 1)
		} else {
			alleleNote_(s, 0)
		}`

// The comparisons below stand for true and false, which the package may have redeclared.
func (g *gates) keep() string { return g.condition("Keep", "", "", "0 == 0", "alleleNote_(s, 1)") }
func (g *gates) drop() string { return g.condition("Drop", "", "", "0 != 0", "alleleNote_(s, 1)") }
func (g *gates) skip() string { return g.condition("Skip", "", "", "0 != 0", "") }
func (g *gates) sees() string {
	return g.declare("alleleSees_", "func alleleSees_(s int) bool { return alleleSite_[s] == 1 }")
}

// differs declares the function that notes whether an operand makes a difference. One that panics does: in the changed
// program it is not evaluated.
func (g *gates) differs() string {
	return g.declare("alleleDiffers_", `func alleleDiffers_(s int, f func() bool) {
	differs := 0 == 0
	defer func() {
		recover()
		`+noteIf+`
	}()
	differs = f()
}`)
}
func (g *gates) keepIf() string {
	return g.condition("KeepIf", ", differs bool", ", differs", "0 == 0", noteIf)
}
func (g *gates) dropIf() string {
	return g.condition("DropIf", ", differs bool", ", differs", "0 != 0", noteIf)
}
