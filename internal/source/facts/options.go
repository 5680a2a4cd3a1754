//go:build go1.25

package facts

import (
	"go/types"

	"github.com/allele-go/allele/internal/source/load"
)

// option reports whether an exported function makes values of a function type, or of an interface
// that no other package can implement. Such values are mostly options of a constructor:
//
//	func NewServer(opts ...Option) *Server
//	func WithTimeout(d time.Duration) Option
func (x *Index) option(t *types.Named) bool {
	name := known(t)
	if name == "" || t.Obj().Pkg() == nil || !x.scope[t.Obj().Pkg().Path()] {
		return false
	}
	is, seen := x.options[name]
	if seen {
		return is
	}
	x.options[name] = false // a function that needs an option to make one does not count
	for f := range x.prog.Funcs() {
		if x.makesOption(f, t) {
			x.options[name] = true
			break
		}
	}
	return x.options[name]
}

func (x *Index) makesOption(f load.Func, t *types.Named) bool {
	sig := f.Obj.Signature()
	r := sig.Results()
	if f.File.Test || !f.Obj.Exported() || sig.Recv() != nil || sig.TypeParams().Len() > 0 || r.Len() == 0 ||
		!types.Identical(r.At(0).Type(), t) || !x.candidate(f.Pkg, f, sig) {
		return false
	}
	_, why := x.refuse(f, instance{fun: f.Obj, sig: sig}, f.Pkg)
	return why == ""
}
