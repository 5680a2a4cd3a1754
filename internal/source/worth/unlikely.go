//go:build go1.25

package worth

// Unlikely returns why hardly any test would notice a change, as a noun phrase, or "". Most of these changes cannot be noticed,
// or only by how fast a program is. A fault is made all the same: the reason is for those who read what has survived.
func (p *Package) Unlikely(c Change) string {
	for _, rule := range []func(*Package, Change) string{
		sized, worded, limited, timed, hashed, same, besideError,
	} {
		if why := rule(p, c); why != "" {
			return why
		}
	}
	return ""
}
