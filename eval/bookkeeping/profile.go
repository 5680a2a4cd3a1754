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

// parts are what a search does, by how the names of its functions begin. A sample belongs to
// the innermost frame that is in one of them: what the runtime does to make a
// value is a part of making it. What all of them use, such as terms and schemas,
// counts for its caller.
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

// rest is mostly the garbage collector, as far as it runs on its own.
const rest = "garbage collection and rest"

const root = "github.com/allele-go/allele/"

// part says where a function belongs, or nothing.
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

// traces is a profile as text, stack by stack.
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

// shares sums the stacks by part. A stack begins with its time and the innermost
// function; the callers follow, one a line.
func shares(text string) (string, error) {
	sums := map[string]time.Duration{}
	var all time.Duration
	for i, stack := range strings.Split(text, between) {
		lines := strings.Split(strings.TrimSpace(stack), "\n")
		if i == 0 || len(lines) < 2 {
			continue // the head, or the foot
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
	say := func(name string) {
		texts = append(texts, fmt.Sprintf("%s %.0f %%", name, 100*float64(sums[name])/float64(all)))
	}
	for _, p := range parts {
		say(p.name)
	}
	say(rest)
	return fmt.Sprintf("%s (of %.1f s)", strings.Join(texts, ", "), all.Seconds()), nil
}

// owner is the part that a stack belongs to.
func owner(stack []string) string {
	for _, frame := range stack {
		if p := part(strings.TrimSpace(frame)); p != "" {
			return p
		}
	}
	return rest
}
