package acct

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/stretchr/testify/suite"

	"example.com/shapes/laws"
)

func additive(t *allele.T, list []int) {
	n := 0
	for _, x := range list {
		n += x
	}
	if got := Sum(list); got != n {
		t.Errorf("sum is %d, not %d", got, n)
	}
}

func TestFunction(t *testing.T) { allele.Check(t, additive) }

type tests struct{}

func (s tests) sum(t *testing.T) { allele.Check(t, additive) }

func TestMethodValue(t *testing.T) {
	f := tests{}.sum
	f(t)
}

type AccountSuite struct{ suite.Suite }

func (s *AccountSuite) TestSum() { allele.Check(s.T(), additive) }

func (s *AccountSuite) TestOther() { s.Equal(1, 1) }

func TestAccountSuite(t *testing.T) { suite.Run(t, new(AccountSuite)) }

type home struct{}

func (h home) CheckSum(t *testing.T) { allele.Check(t, additive) }

func TestHome(t *testing.T) { runAll(t, home{}) }

func runAll(t *testing.T, s any) {
	v := reflect.ValueOf(s)
	for i := range v.NumMethod() {
		if name := v.Type().Method(i).Name; strings.HasPrefix(name, "Check") {
			t.Run(name, func(t *testing.T) { v.Method(i).Call([]reflect.Value{reflect.ValueOf(t)}) })
		}
	}
}

func TestTable(t *testing.T) {
	for _, name := range []string{"one", "two words"} {
		t.Run(name, func(t *testing.T) { allele.Check(t, additive) })
	}
}

func TestParallel(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allele.Check(t, additive)
		})
	}
}

func checked[In any](t *testing.T, prop func(*allele.T, In)) {
	t.Helper()
	allele.Check(t, prop)
}

func TestWrapper(t *testing.T) { checked(t, additive) }

func TestLaws(t *testing.T) { laws.Additive(t, Sum) }

var checks []func(t *testing.T)

func init() {
	checks = append(checks, func(t *testing.T) { allele.Check(t, additive) })
}

func TestVariable(t *testing.T) {
	for _, f := range checks {
		f(t)
	}
}

// A fuzz target whose fuzz function has a property is one property, however many seeds there are.
func FuzzSum(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		allele.Check(t, func(t *allele.T, list []int) { additive(t, append(list, n)) })
	})
}
