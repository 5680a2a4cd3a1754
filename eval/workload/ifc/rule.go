package ifc

// Op is an instruction without its argument. Each Op has a rule.
type Op int

// The opcodes, in the order in which faults are derived.
const (
	OpCall Op = iota
	OpRet
	OpNop
	OpPush
	OpAdd
	OpLoad
	OpStore
	OpHalt
	ops
)

func (op Op) String() string {
	return [ops]string{"Call", "Ret", "Nop", "Push", "Add", "Load", "Store", "Halt"}[op]
}

// Expr is a label that is computed from the labels of operands and of the pc.
type Expr interface{ isExpr() }

// Var names a label that a rule can use. The meaning of First, Second and Third differs
// between instructions; see Rules.
type Var int

// The variables of a rule: the label of the pc and of up to three operands.
const (
	PC Var = iota
	First
	Second
	Third
	vars
)

// Bottom is the label Low.
type Bottom struct{}

// Join is the lowest label that both A and B may flow to: High if one of them is High.
type Join struct{ A, B Expr }

func (Var) isExpr()    {}
func (Bottom) isExpr() {}
func (Join) isExpr()   {}

// Check is the condition under which an instruction is allowed.
type Check interface{ isCheck() }

// The forms of a check.
type (
	True  struct{}
	Flows struct{ From, To Expr }
	And   struct{ A, B Check }
	Or    struct{ A, B Check }
)

func (True) isCheck()  {}
func (Flows) isCheck() {}
func (And) isCheck()   {}
func (Or) isCheck()    {}

// Rule guards one instruction. Result is nil if there is no result to label.
type Rule struct {
	Check      Check
	Result, PC Expr
}

// Table has a rule for every instruction.
type Table [ops]Rule

// Rules returns the correct table, which does not leak.
//
//	        First               Second             Third
//	Call    target address
//	Ret     saved pc            returned value
//	Add     top                 second
//	Load    memory cell         pointer
//	Store   pointer             value              old memory cell
//
// The result of Call is the saved pc.
func Rules() *Table {
	return &Table{
		OpCall:  {Check: True{}, Result: PC, PC: Join{First, PC}},
		OpRet:   {Check: True{}, Result: Join{Second, PC}, PC: First},
		OpNop:   {Check: True{}, PC: PC},
		OpPush:  {Check: True{}, Result: Bottom{}, PC: PC},
		OpAdd:   {Check: True{}, Result: Join{First, Second}, PC: PC},
		OpLoad:  {Check: True{}, Result: Join{First, Second}, PC: PC},
		OpStore: {Check: Flows{Join{First, PC}, Third}, Result: Join{PC, Join{First, Second}}, PC: PC},
		OpHalt:  {Check: True{}, Result: Bottom{}, PC: PC},
	}
}

// labels holds the label that each variable of a rule stands for in one step.
type labels [vars]Label

// apply returns the labels of the result and of the next pc. It reports false if the
// rule forbids the step.
func (r *Rule) apply(l labels) (result, pc Label, ok bool) {
	if !holds(r.Check, &l) {
		return Low, Low, false
	}
	if r.Result != nil {
		result = label(r.Result, &l)
	}
	return result, label(r.PC, &l), true
}

func label(e Expr, l *labels) Label {
	switch e := e.(type) {
	case Var:
		return l[e]
	case Join:
		return label(e.A, l).Join(label(e.B, l))
	}
	return Low
}

func holds(c Check, l *labels) bool {
	switch c := c.(type) {
	case Flows:
		return label(c.From, l).FlowsTo(label(c.To, l))
	case And:
		return holds(c.A, l) && holds(c.B, l)
	case Or:
		return holds(c.A, l) || holds(c.B, l)
	}
	return true
}
