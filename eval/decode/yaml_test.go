package decode

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele"
	"gopkg.in/yaml.v3"
)

type config struct {
	Name    string
	Port    uint16 `yaml:",omitempty"`
	Limit   *int
	On      bool
	Env     map[string]string
	Paths   []string `yaml:",flow"`
	Include []config
}

// Decoding in one step is the same as decoding a tree of nodes, and then the nodes.
func TestYAML(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v, again config
		t.Assume(yaml.Unmarshal(data, &v) == nil)
		var n yaml.Node
		if err := yaml.Unmarshal(data, &n); err != nil {
			t.Fatal(err)
		}
		if err := n.Decode(&again); err != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("%+v became %+v (%v)", v, again, err)
		}
	}, allele.Through(func(v config) ([]byte, error) { return yaml.Marshal(v) }))
}
