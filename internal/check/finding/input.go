//go:build go1.25

package finding

import "github.com/allele-go/allele/internal/proc/claims"

// knownInput reports whether the input of a finding that ends its process was reported before. Then its sign is another
// name of the same failure: which of two goroutines finds that both write to a map is chance. Two deaths of different
// kinds are different failures. It claims the input for this process.
func knownInput(h *Handler, f *Finding) bool {
	if f.Outcome.Death == nil {
		return false
	}
	switch h.Ledger.file.Claim(inputSign(h, f)) {
	case claims.Unknown:
		return false
	case claims.Shown:
		h.Ledger.note(f.Sign, false)
		h.Ledger.Shown(f.Sign)
	}
	return true
}

// ShownInput notes for other processes that a failure was reported, and its input if that ends its process.
func ShownInput(h *Handler, f *Finding) {
	h.Ledger.Shown(f.Sign)
	if f.Outcome.Death != nil && !f.Flaky {
		h.Ledger.Shown(inputSign(h, f))
	}
}

// inputSign returns a sign that a failure has in addition: how it failed, and the file of its case, whether there is one or not.
func inputSign(h *Handler, f *Finding) string {
	return string(f.Outcome.Kind()) + " with " + h.Prop.FailFile(f.Term)
}
