package check

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	disruption "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// A cluster is all that the manifests declare.
type cluster struct {
	namespaces []core.Namespace
	secrets    []core.Secret
	configs    []core.ConfigMap
	services   []core.Service
	budgets    []disruption.PodDisruptionBudget
	sets       []apps.StatefulSet
	policies   []networking.NetworkPolicy
}

// documents returns the documents of a file of YAML.
func documents(content []byte) [][]byte { return bytes.Split(content, []byte("\n---\n")) }

// load decodes all manifests but those of KEDA. A field that Kubernetes does not have is an error.
func load(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{}
	for _, file := range manifestFiles(t) {
		for _, doc := range documents(read(t, "kubernetes/"+file)) {
			if err := c.add(doc); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
	return c
}

func manifestFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("..", "kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && e.Name() != "kustomization.yaml" {
			files = append(files, e.Name())
		}
	}
	return files
}

func (c *cluster) add(doc []byte) error {
	var kind meta.TypeMeta
	if err := yaml.Unmarshal(doc, &kind); err != nil {
		return err
	}
	switch kind.APIVersion + " " + kind.Kind {
	case "v1 Namespace":
		return decode(doc, &c.namespaces)
	case "v1 Secret":
		return decode(doc, &c.secrets)
	case "v1 ConfigMap":
		return decode(doc, &c.configs)
	case "v1 Service":
		return decode(doc, &c.services)
	case "policy/v1 PodDisruptionBudget":
		return decode(doc, &c.budgets)
	case "apps/v1 StatefulSet":
		return decode(doc, &c.sets)
	case "networking.k8s.io/v1 NetworkPolicy":
		return decode(doc, &c.policies)
	}
	return &unknownKind{kind}
}

type unknownKind struct{ meta.TypeMeta }

func (u *unknownKind) Error() string { return "unknown kind " + u.APIVersion + " " + u.Kind }

func decode[T any](doc []byte, to *[]T) error {
	var object T
	if err := strictYAML(doc, &object); err != nil {
		return err
	}
	*to = append(*to, object)
	return nil
}

// strictYAML decodes as strictly as a server of Kubernetes. encoding/json would accept a field
// whose capitals are wrong, and such a field has no effect in a cluster.
func strictYAML(doc []byte, to any) error {
	converted, err := yaml.YAMLToJSONStrict(doc)
	if err != nil {
		return err
	}
	unknown, err := json.UnmarshalStrict(converted, to)
	return errors.Join(append(unknown, err)...)
}

func (c *cluster) set(t *testing.T, name string) apps.StatefulSet {
	t.Helper()
	i := slices.IndexFunc(c.sets, func(s apps.StatefulSet) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no StatefulSet %s", name)
	}
	return c.sets[i]
}

// objects returns the metadata of everything that lives in a namespace, by kind and name.
func (c *cluster) objects() map[string]meta.ObjectMeta {
	all := map[string]meta.ObjectMeta{}
	for _, o := range c.secrets {
		all["Secret "+o.Name] = o.ObjectMeta
	}
	for _, o := range c.configs {
		all["ConfigMap "+o.Name] = o.ObjectMeta
	}
	for _, o := range c.services {
		all["Service "+o.Name] = o.ObjectMeta
	}
	for _, o := range c.budgets {
		all["PodDisruptionBudget "+o.Name] = o.ObjectMeta
	}
	for _, o := range c.sets {
		all["StatefulSet "+o.Name] = o.ObjectMeta
	}
	for _, o := range c.policies {
		all["NetworkPolicy "+o.Name] = o.ObjectMeta
	}
	return all
}

// TestStrict checks that the decoder refuses mistakes.
func TestStrict(t *testing.T) {
	for name, doc := range map[string]string{
		"wrong capitals":   "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {clusterIp: None}\n",
		"an unknown field": "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {sort: y}\n",
		"a wrong type":     "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: [{port: http}]}\n",
		"a repeated field": "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nmetadata: {name: y}\n",
		"an old version":   "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: x}\n",
	} {
		if new(cluster).add([]byte(doc)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestKustomization checks that kustomization.yaml names all files but the example of Secrets.
func TestKustomization(t *testing.T) {
	var k struct {
		meta.TypeMeta `json:",inline"`
		Namespace     string   `json:"namespace"`
		Resources     []string `json:"resources"`
		Images        []struct {
			Name   string `json:"name"`
			NewTag string `json:"newTag"`
		} `json:"images"`
	}
	if err := strictYAML(read(t, "kubernetes/kustomization.yaml"), &k); err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(manifestFiles(t), func(f string) bool { return f == "secrets.example.yaml" })
	slices.Sort(k.Resources)
	if !slices.Equal(k.Resources, files) {
		t.Errorf("kustomization.yaml has %q, the folder has %q", k.Resources, files)
	}
	c := load(t)
	if len(c.namespaces) != 1 || c.namespaces[0].Name != k.Namespace {
		t.Errorf("namespace %q", k.Namespace)
	}
	for name, object := range c.objects() {
		if object.Namespace != k.Namespace {
			t.Errorf("%s is in namespace %q", name, object.Namespace)
		}
	}
	for _, set := range c.sets {
		if image := set.Spec.Template.Spec.Containers[0].Image; len(k.Images) != 1 || image != k.Images[0].Name {
			t.Errorf("%s: image %s is not set by kustomization.yaml", set.Name, image)
		}
	}
}

// TestSecretsAreExamples checks that nobody has put a secret into the repository.
func TestSecretsAreExamples(t *testing.T) {
	for _, s := range load(t).secrets {
		if len(s.Data) > 0 {
			t.Errorf("%s has data", s.Name)
		}
		for key, value := range s.StringData {
			if strings.TrimSpace(value) != "placeholder" {
				t.Errorf("%s: %s is no placeholder", s.Name, key)
			}
		}
	}
}
