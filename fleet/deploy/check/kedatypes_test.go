//go:build keda

package check

import (
	"testing"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	"sigs.k8s.io/yaml"
)

func TestKEDATypes(t *testing.T) {
	for _, file := range kedaFiles {
		for _, doc := range documents(read(t, "kubernetes/keda/"+file)) {
			var kind struct{ Kind string }
			if err := yaml.Unmarshal(doc, &kind); err != nil {
				t.Fatal(err)
			}
			var object any = &keda.ScaledObject{}
			if kind.Kind == "TriggerAuthentication" {
				object = &keda.TriggerAuthentication{}
			}
			if err := strictYAML(doc, object); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
