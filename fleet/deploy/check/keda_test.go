package check

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The Go types of KEDA import client-go and controller-runtime, which take minutes to compile. So
// these tests read the schema that KEDA installs in a cluster, and the source of its triggers,
// from the module. "go test -tags keda" decodes with the Go types in addition.

// kedaModule returns the folder with the sources of KEDA.
func kedaModule(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/kedacore/keda/v2").Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	return module.Dir
}

var kedaFiles = []string{"prometheus.yaml", "jetstream.yaml"}

// A scaler is what the tests read of a ScaledObject or of a TriggerAuthentication.
type scaler struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		ScaleTargetRef  struct{ APIVersion, Kind, Name string }
		MinReplicaCount int
		MaxReplicaCount int
		Triggers        []struct {
			Type              string
			Metadata          map[string]string
			AuthenticationRef struct{ Name string }
		}
		SecretTargetRef []struct{ Parameter, Name, Key string }
	}
}

func TestKEDASchema(t *testing.T) {
	module := kedaModule(t)
	for _, file := range kedaFiles {
		for _, doc := range documents(read(t, "kubernetes/keda/"+file)) {
			var object map[string]any
			if err := yaml.UnmarshalStrict(doc, &object); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, problem := range kedaSchema(t, module, object["kind"].(string)).problems("", object) {
				t.Errorf("%s: %s", file, problem)
			}
		}
	}
	bad := map[string]any{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "spec": map[string]any{
		"scaleTargetRef": map[string]any{"nam": "x"}, "minReplicaCount": "1"}}
	got := kedaSchema(t, module, "ScaledObject").problems("", bad)
	want := []string{"/spec/minReplicaCount: want integer", "/spec/scaleTargetRef/name is missing",
		"/spec/scaleTargetRef: no field nam", "/spec/triggers is missing"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A schema is the part of an OpenAPI schema that the definitions of KEDA use here.
type schema struct {
	Type                 string            `json:"type"`
	Properties           map[string]schema `json:"properties"`
	Required             []string          `json:"required"`
	Items                *schema           `json:"items"`
	Enum                 []any             `json:"enum"`
	AdditionalProperties *schema           `json:"additionalProperties"`
	IntOrString          bool              `json:"x-kubernetes-int-or-string"`
}

func kedaSchema(t *testing.T, module, kind string) schema {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(module, "config", "crd", "bases", "keda.sh_"+strings.ToLower(kind)+"s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var definition struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema schema }
			}
		}
	}
	if err := yaml.Unmarshal(content, &definition); err != nil || len(definition.Spec.Versions) != 1 {
		t.Fatalf("definition of %s: %v", kind, err)
	}
	s := definition.Spec.Versions[0].Schema.OpenAPIV3Schema
	s.Properties["metadata"] = schema{Type: "object", AdditionalProperties: &schema{Type: "string"}}
	return s
}

// problems compares a value with the schema.
func (s schema) problems(path string, value any) (found []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := value[name]; !ok {
				found = append(found, fmt.Sprintf("%s/%s is missing", path, name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			field, ok := s.Properties[name]
			if !ok && s.AdditionalProperties != nil {
				field, ok = *s.AdditionalProperties, true
			}
			if !ok {
				found = append(found, fmt.Sprintf("%s: no field %s", path, name))
				continue
			}
			found = append(found, field.problems(path+"/"+name, value[name])...)
		}
	case []any:
		for i, element := range value {
			if s.Items != nil {
				found = append(found, s.Items.problems(fmt.Sprintf("%s/%d", path, i), element)...)
			}
		}
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		found = append(found, fmt.Sprintf("%s: %v is none of %v", path, value, s.Enum))
	}
	if !s.IntOrString && !slices.Contains(kinds[s.Type], reflect.ValueOf(value).Kind()) {
		found = append(found, fmt.Sprintf("%s: want %s", path, s.Type))
	}
	return found
}

// kinds maps types of OpenAPI to what the decoder makes of them.
var kinds = map[string][]reflect.Kind{
	"object": {reflect.Map}, "array": {reflect.Slice}, "string": {reflect.String}, "boolean": {reflect.Bool},
	"integer": {reflect.Int64, reflect.Float64}, "number": {reflect.Int64, reflect.Float64},
}

// TestKEDATriggers checks the metadata of triggers. To the schema it is a map of strings, and only
// the source of a trigger says which keys it reads.
func TestKEDATriggers(t *testing.T) {
	module := kedaModule(t)
	for _, file := range kedaFiles {
		auth, object := kedaObjects(t, file)
		for _, trigger := range object.Spec.Triggers {
			given := slices.Collect(maps.Keys(trigger.Metadata))
			if name := trigger.AuthenticationRef.Name; name != auth.Metadata.Name {
				t.Errorf("%s: no TriggerAuthentication %q", file, name)
			}
			for _, ref := range auth.Spec.SecretTargetRef {
				given = append(given, ref.Parameter)
			}
			allowed, needed := triggerKeys(t, module, trigger.Type)
			for _, key := range given {
				if !slices.Contains(allowed, key) {
					t.Errorf("%s: trigger %s reads no %s", file, trigger.Type, key)
				}
			}
			for _, key := range needed {
				if !slices.Contains(given, key) {
					t.Errorf("%s: trigger %s needs %s", file, trigger.Type, key)
				}
			}
		}
	}
}

func kedaObjects(t *testing.T, file string) (auth, object scaler) {
	t.Helper()
	for _, doc := range documents(read(t, "kubernetes/keda/"+file)) {
		var s scaler
		if err := yaml.Unmarshal(doc, &s); err != nil {
			t.Fatal(err)
		}
		if s.Kind == "ScaledObject" {
			object = s
		} else {
			auth = s
		}
	}
	return auth, object
}

// triggerKeys reads the tags of a trigger's struct, such as `keda:"name=stream, order=triggerMetadata"`.
func triggerKeys(t *testing.T, module, trigger string) (allowed, needed []string) {
	t.Helper()
	source := filepath.Join(module, "pkg", "scalers", strings.ReplaceAll(trigger, "-", "_")+"_scaler.go")
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`name=(\w+)`)
	ast.Inspect(file, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("keda")
		if m := name.FindStringSubmatch(tag); m != nil {
			allowed = append(allowed, m[1])
			if !strings.Contains(tag, "optional") && !strings.Contains(tag, "default=") {
				needed = append(needed, m[1])
			}
		}
		return true
	})
	if len(allowed) < 5 || len(needed) < 2 {
		t.Fatalf("keys of %s: %q, needed %q", trigger, allowed, needed)
	}
	return allowed, needed
}

func TestKEDAReferences(t *testing.T) {
	agents, streams, known := load(t).set(t, "allele-agent"), layoutStreams(t), metrics(t)
	for _, file := range kedaFiles {
		_, object := kedaObjects(t, file)
		target := object.Spec.ScaleTargetRef
		if target.Kind != agents.Kind || target.APIVersion != agents.APIVersion || target.Name != agents.Name ||
			object.Metadata.Namespace != agents.Namespace {
			t.Errorf("%s scales %+v", file, target)
		}
		if object.Spec.MinReplicaCount < 1 || object.Spec.MaxReplicaCount != int(*agents.Spec.Replicas) {
			t.Errorf("%s: from %d to %d agents", file, object.Spec.MinReplicaCount, object.Spec.MaxReplicaCount)
		}
		for _, trigger := range object.Spec.Triggers {
			if stream, ok := trigger.Metadata["stream"]; ok && !slices.Contains(streams, stream) {
				t.Errorf("%s: no stream %s", file, stream)
			}
			if query, ok := trigger.Metadata["query"]; ok {
				for _, problem := range problems(known, query, map[string]bool{}) {
					t.Errorf("%s: %s", file, problem)
				}
			}
		}
	}
}
