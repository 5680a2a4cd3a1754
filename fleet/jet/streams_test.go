package jet

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// A server that runs alone forgets streams in memory when it restarts, and nobody but a submitter can make them again.
func TestStreamsAreOnDisk(t *testing.T) {
	for _, c := range Streams(Options{}) {
		if c.Storage != jetstream.FileStorage {
			t.Errorf("stream %s is not on disk", c.Name)
		}
	}
}
