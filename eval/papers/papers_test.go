package papers

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
)

// A strategy is data: what the command reads from the variable is what was written.
func TestVariable(t *testing.T) {
	for _, name := range Names() {
		variable, err := Variable(name)
		if code := name == "plain" || name == "fuzzchick" || strings.HasPrefix(name, "mutagen"); code != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		text, ok := strings.CutPrefix(variable, job.ExperimentVariable+"=")
		if !ok {
			t.Fatalf("%s: %s", name, text)
		}
		if name == job.Guided {
			if text != "" {
				t.Errorf("the default has settings: %s", text)
			}
			continue
		}
		t.Setenv(job.ExperimentVariable, text)
		x, err := job.ReadExperiment()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got engine.Strategy
		if err := json.Unmarshal(x.Strategy, &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want, _ := Named(name); !reflect.DeepEqual(got, *want.Strategy) {
			t.Errorf("%s: got %+v, want %+v", name, got, *want.Strategy)
		}
		if keeps := strings.HasPrefix(name, "guided"); (job.Params{Experiment: x}).Keeps() != keeps {
			t.Errorf("%s: uses a corpus: %v", name, !keeps)
		}
	}
}
