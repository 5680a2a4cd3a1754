package code

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/program"
)

// Programs run without an error: every name that they use was declared before.
func TestInterpreters(t *testing.T) {
	for _, l := range []struct {
		name    string
		through allele.Option
		args    []string
	}{
		{"lua", allele.Through(Lua), []string{"lua5.1", "@@"}},
		{"python", allele.Through(Python), []string{"python3", "-S", "@@"}},
		{"javascript", allele.Through(JavaScript), []string{"node", "@@"}},
		{"sh", allele.Through(Shell), []string{"sh", "@@"}},
	} {
		t.Run(l.name, func(t *testing.T) {
			if _, err := exec.LookPath(l.args[0]); err != nil {
				t.Skipf("%s is not installed", l.args[0])
			}
			p := &program.Program{Args: l.args}
			defer p.Close()
			allele.Check(t, func(t *allele.T, b []byte) {
				r, err := p.Run(b)
				if err != nil {
					t.Fatal(err)
				}
				if r.Code != 0 {
					t.Fatalf("code %d: %s\n%s", r.Code, r.Stderr, b)
				}
			}, l.through, Statements, Expressions, allele.Tests(40), allele.Seed(1))
		})
	}
}

// Numbers of names stand for those that were declared before.
func ExampleLua() {
	b, _ := Lua(calls)
	fmt.Print(strings.TrimPrefix(string(b), luaPrelude))
	// Output:
	// local v1 = 1
	// local function f2(v3)
	//     do return v3 end
	// end
	// print(f2(v1))
}

// The shell has no names for parameters.
func ExampleShell() {
	b, _ := Shell(calls)
	fmt.Print(strings.TrimPrefix(string(b), shellPrelude))
	// Output:
	// v1=1
	// f2() {
	//     return 0 # "$v1"
	// }
	// echo "$(f2 "$v1")"
}

// Without coherent names, a name may be one that was not declared.
func ExampleSource() {
	b, _ := Source("javascript", calls, false)
	fmt.Print(string(b))
	// Output:
	// v1 = 1;
	// function f1(v2) {
	//     if (true) return v8;
	// }
	// console.log(f4());
}

var calls = Program{
	Assign{Value: Number(1)},
	Func{Params: 1, Body: []Stmt{Return{Value: Var(7)}}},
	Print{Value: Call{Func: 3, Args: []Expr{Var(9)}}},
}
