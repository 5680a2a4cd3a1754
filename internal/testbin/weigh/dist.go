//go:build go1.25

package weigh

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// Dist makes the test binary of a property generate inputs and count constructors:
// only the binary contains the types of the inputs. Package dist decodes the result.
func Dist(p *testbin.Program, of launch.Property, want job.Text) ([]byte, error) {
	text, err := os.CreateTemp(p.Temp.Path, "dist-*")
	if err != nil {
		return nil, err
	}
	text.Close()
	defer os.Remove(text.Name())
	want.To = text.Name()
	j := &job.Job{Mode: job.Dist, Property: of.Name, Text: want}
	d, events, err := p.Exec(of, proc.Config{Idle: list.AskMax, Args: []string{of.TestFlag()}, Job: j})
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		answer, ok := e.Body.(event.Answered)
		if !ok || e.Property != of.Name {
			continue
		}
		if answer.Error != "" {
			return nil, fmt.Errorf("%s: %s", of, words.Printable(answer.Error))
		}
		return readBounded(text.Name(), dist.BytesMax)
	}
	return nil, fmt.Errorf("%s: the test process exited (%s) before all inputs were generated and counted\n%s",
		of, d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
}

func readBounded(file string, size int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size+1)) // one more byte, so that the decoder can reject a longer file
}
