//go:build go1.25

package property

import "github.com/allele-go/allele/internal/proc/job"

// Commands returns the beginnings of the command lines that reports suggest. They contain
// the flags that this test was built and run with. The allele command passes them in the
// job; plain go test takes the flags from the build information, and finds out from go.mod
// how the command can be called, because it may not be installed.
func (p *Property) Commands() job.Commands {
	if c := p.Job.Commands; c != (job.Commands{}) {
		return c
	}
	name, ok := job.Tool(Home)
	if !ok {
		name = job.AsTool
	}
	return job.CommandsFor(name, p.Place.Flags())
}
