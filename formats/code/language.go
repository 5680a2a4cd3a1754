package code

import (
	"strconv"
	"strings"

	"github.com/allele-go/allele/formats/internal/escape"
)

// language is how a language writes statements and expressions. Most texts are formats. Their verbs are, in order: names,
// then expressions.
type language struct {
	prelude                     string // defines operations that work for values of every type
	assign, declare             string
	print                       string
	ifThen, orElse, endIf       string
	while, endWhile             string // with a limit on how often
	loop, endLoop               string
	function, endFunction, pass string
	unnamed                     bool // functions have no names for their parameters
	ret                         string
	statement                   string // after a statement

	ops           [ops]string
	not, yes, no  string
	variable      string
	number        func(float64) string
	quote         func(string) string
	items         func([]string) string
	call, between string // between is between arguments
}

// languages are the languages by the names of their formats.
var languages = map[string]*language{
	"lua": {prelude: luaPrelude, assign: "%s = %s", declare: "local %s = %s", print: "print(%s)",
		ifThen: "if %s then", orElse: "else", endIf: "end",
		while: "for w%[2]d = 1, 3 do if not (%[1]s) then break end", endWhile: "end", loop: "for %s = 1, %d do", endLoop: "end",
		function: "local function %s(%s)", endFunction: "end", ret: "do return %s end",
		ops: [ops]string{"arith('+', %s, %s)", "arith('-', %s, %s)", "arith('*', %s, %s)", "less(%s, %s)", "(%s == %s)",
			"(%s and %s)", "(%s or %s)", "(tostring(%s) .. tostring(%s))"},
		not: "(not %s)", yes: "true", no: "false", items: func(x []string) string { return "{" + strings.Join(x, ", ") + "}" },
		variable: "%s", number: numberC, quote: quoteC, call: "%s(%s)", between: ", "},
	"python": {prelude: pythonPrelude, assign: "%s = %s", declare: "%s = %s", print: "print(%s)",
		ifThen: "if %s:", orElse: "else:",
		while: "for w%[2]d in [x for x in range(3) if %[1]s]:", loop: "for %s in range(%d):",
		function: "def %s(%s):", pass: "pass", ret: "return %s",
		ops: [ops]string{"arith('+', %s, %s)", "arith('-', %s, %s)", "arith('*', %s, %s)", "less(%s, %s)", "(%s == %s)",
			"(%s and %s)", "(%s or %s)", "(str(%s) + str(%s))"},
		not: "(not %s)", yes: "True", no: "False", items: func(x []string) string { return "[" + strings.Join(x, ", ") + "]" },
		variable: "%s", number: numberC, quote: quoteC, call: "%s(%s)", between: ", "},
	"javascript": {assign: "%s = %s", declare: "let %s = %s", print: "console.log(%s)",
		ifThen: "if (%s) {", orElse: "} else {", endIf: "}",
		while: "for (let w%[2]d = 0; w%[2]d < 3 && (%[1]s); w%[2]d++) {", endWhile: "}",
		loop: "for (let %[1]s = 0; %[1]s < %[2]d; %[1]s++) {", endLoop: "}",
		function: "function %s(%s) {", endFunction: "}", ret: "if (true) return %s",
		ops: [ops]string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s < %s)", "(%s === %s)", "(%s && %s)", "(%s || %s)", "(\"\" + %s + %s)"},
		not: "(!%s)", yes: "true", no: "false", items: func(x []string) string { return "[" + strings.Join(x, ", ") + "]" },
		variable: "%s", number: numberC, quote: quoteC, call: "%s(%s)", between: ", ", statement: ";"},
	"sh": {prelude: shellPrelude, assign: "%s=%s", declare: "%s=%s", print: "echo %s",
		ifThen: "if [ -n %s ]; then", orElse: "else", endIf: "fi",
		while: "for w%[2]d in 1 2 3; do [ -n %[1]s ] || break", endWhile: "done", loop: "for %s in $(seq 1 %d); do", endLoop: "done",
		function: "%[1]s() {", unnamed: true, endFunction: "}", ret: "return 0 # %s", pass: ":",
		ops: [ops]string{"\"$(arith %s + %s)\"", "\"$(arith %s - %s)\"", "\"$(arith %s '*' %s)\"", "\"$(arith %s '<' %s)\"",
			"\"$(arith %s = %s)\"", "%s%s", "%s%s", "%s\" \"%s"},
		not: "\"$([ -z %s ] && echo 1)\"", yes: "1", no: "\"\"", items: func(x []string) string { return strings.Join(x, "") + "\"\"" },
		variable: `"$%s"`, number: numberShell, quote: escape.Shell, call: "\"$(%s %s)\"", between: " "},
}

const (
	luaPrelude = `local function arith(op, a, b)
  a, b = tonumber(a) or 0, tonumber(b) or 0
  if op == '+' then return a + b elseif op == '-' then return a - b end
  return a * b
end
local function less(a, b) return tostring(a) < tostring(b) end
`
	pythonPrelude = `def arith(op, a, b):
    a = a if isinstance(a, (int, float)) else 0
    b = b if isinstance(b, (int, float)) else 0
    return a + b if op == '+' else a - b if op == '-' else a * b
def less(a, b):
    return str(a) < str(b)
`
	shellPrelude = `arith() { case "$1$3" in *[!0-9]*|"") echo 0;; *) expr "0$1" "$2" "0$3";; esac; }
`
)

// numberC writes a number as Lua, Python and JavaScript read it.
func numberC(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if x < 0 {
		return "(" + text + ")"
	}
	return text
}

// numberShell writes a number without its sign and its fraction, which the shell cannot read.
func numberShell(x float64) string { return strconv.FormatInt(int64(max(x, -x)), 10) }

// quoteC writes a text as Lua, Python and JavaScript read it.
func quoteC(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(s, "?") {
		switch {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c == '\n':
			b.WriteString("\\n")
		case c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029 || c == 0xfeff:
			b.WriteByte('?')
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
