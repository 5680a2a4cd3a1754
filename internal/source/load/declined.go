//go:build go1.25

package load

// Declined says why a package in scope is not rewritten. The package is built from the
// user's files. Its tests and properties run, but no probe records what its code does.
type Declined struct {
	Path string // the import path, with _test for external tests
	Why  string // what is in the way, such as "it declares the name uint32, which probes use"
	Do   string // what the user can do about it, such as "rename it"
}

// String returns a sentence for the user.
func (d Declined) String() string { return d.Path + " runs without probes: " + d.Why + "; " + d.Do }

// Decline marks a package as one that is not rewritten. If there are several reasons, the
// first one is kept, because one sentence for each package is enough.
func (p *Package) Decline(why, do string) {
	if p.Declined != nil {
		return
	}
	p.Declined = &Declined{Path: p.Path, Why: why, Do: do}
	if p.External {
		p.Declined.Path += "_test"
	}
}
