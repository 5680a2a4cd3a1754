package bookkeeping

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// parts lists the activities of a search, with the prefixes of their functions' names.
// Each sample of the profile belongs to one part: that of the innermost frame that
// matches a prefix. For example, the Go runtime's work while a value is built counts as
// building. Packages that all parts use, such as term and schema, have no prefix here and
// count for their caller.
var parts = []struct {
	name     string
	prefixes []string
}{
	{"property", []string{"eval/workload/"}},
	{"build value", []string{"internal/value/schema.(*Builder)"}},
	{"generate", []string{"internal/value/gen."}},
	{"mutate", []string{"internal/value/mutate."}},
	{"novelty and trace", []string{"internal/search/novelty.", "internal/search/trace.", "hook."}},
	{"engine and queue", []string{"internal/search/engine.", "internal/search/queue.", "internal/search/operand."}},
}

// rest is the time outside of all parts, mostly the garbage collector in its own
// goroutines.
const rest = "garbage collection and rest"

const root = "github.com/allele-go/allele/"

// part returns the part that a function belongs to, or "".
func part(function string) string {
	name, ours := strings.CutPrefix(function, root)
	if !ours {
		return ""
	}
	for _, p := range parts {
		if slices.ContainsFunc(p.prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return p.name
		}
	}
	return ""
}

// traces returns a profile as text: a list of stacks with their times.
func traces(bin, profile string) (string, error) {
	cmd := exec.Command("go", "tool", "pprof", "-traces", bin, profile)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go tool pprof: %w\n%s", err, stderr.String())
	}
	return string(out), nil
}

// between separates two stacks.
const between = "-----------+"

// shares returns the share of each part in the time of all stacks, as text. In the
// profile, a stack begins with its time and the innermost function. The callers follow,
// one on each line.
func shares(text string) (string, error) {
	sums := map[string]time.Duration{}
	var all time.Duration
	for i, stack := range strings.Split(text, between) {
		lines := strings.Split(strings.TrimSpace(stack), "\n")
		if i == 0 || len(lines) < 2 {
			continue // this is the head or the foot of the profile
		}
		lines = lines[1:] // the rest of the separator
		value, innermost, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
		took, err := time.ParseDuration(value)
		if err != nil {
			return "", fmt.Errorf("a stack begins with %q", lines[0])
		}
		lines[0] = innermost
		sums[owner(lines)] += took
		all += took
	}
	if all == 0 {
		return "", errors.New("an empty profile")
	}
	var texts []string
	add := func(name string) {
		texts = append(texts, fmt.Sprintf("%s %.0f %%", name, 100*float64(sums[name])/float64(all)))
	}
	for _, p := range parts {
		add(p.name)
	}
	add(rest)
	return fmt.Sprintf("%s (of %.1f s)", strings.Join(texts, ", "), all.Seconds()), nil
}

// owner returns the part that a stack belongs to.
func owner(stack []string) string {
	for _, frame := range stack {
		if p := part(strings.TrimSpace(frame)); p != "" {
			return p
		}
	}
	return rest
}
