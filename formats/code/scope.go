package code

import "strconv"

// scope is the names that a place can use.
type scope struct {
	vars, funcs []string
	params      map[string]int // of each function
	made        *int           // how many names there are
	inFunc      bool
	coherent    bool // a name that is used was declared before
}

func newScope(coherent bool) *scope {
	return &scope{params: map[string]int{}, made: new(int), coherent: coherent}
}

// inner returns a scope for a block: what is declared there is not seen outside.
func (s *scope) inner() *scope {
	c := *s
	c.vars, c.funcs = c.vars[:len(c.vars):len(c.vars)], c.funcs[:len(c.funcs):len(c.funcs)]
	return &c
}

func (s *scope) name(prefix string) string {
	*s.made++
	return prefix + strconv.Itoa(*s.made)
}

// variable returns a name that was declared.
func (s *scope) variable(r Ref) (name string, ok bool) {
	if !s.coherent {
		return "v" + strconv.Itoa(1+int(r)%16), true
	}
	if len(s.vars) == 0 {
		return "", false
	}
	return s.vars[int(r)%len(s.vars)], true
}

// function returns a function that was declared.
func (s *scope) function(r Ref) (name string, ok bool) {
	if !s.coherent {
		return "f" + strconv.Itoa(1+int(r)%16), true
	}
	if len(s.funcs) == 0 {
		return "", false
	}
	return s.funcs[int(r)%len(s.funcs)], true
}
