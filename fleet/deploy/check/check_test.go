// Package check tests the files of fleet/deploy without a cluster, a Prometheus or a Grafana: each
// file is read by the code that its consumer uses, as strictly as that code can, and names that
// files have in common are compared.
//
// It is a module of its own, because these readers are large and nothing else needs them.
package check

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// read returns a file of fleet/deploy.
func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// strictJSON decodes a document and refuses fields that the type does not have.
func strictJSON(t *testing.T, content []byte, to any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil {
		t.Fatal(err)
	}
}

// metrics returns the metrics of package observe, each with its kind and its labels. The test of
// observe keeps the list up to date.
func metrics(t *testing.T) map[string][]string {
	t.Helper()
	known := map[string][]string{
		"process_resident_memory_bytes": {"gauge"}, // of every program that observe serves
	}
	for line := range strings.Lines(string(read(t, "../observe/testdata/metrics.txt"))) {
		words := strings.Fields(line)
		known[words[0]] = words[1:]
	}
	if len(known) < 20 {
		t.Fatalf("only %d metrics are known", len(known))
	}
	return known
}

// layoutStreams returns the names of streams that package jet declares.
func layoutStreams(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ += "([A-Z]+)"$`).FindAllStringSubmatch(string(read(t, "../jet/layout.go")), -1) {
		names = append(names, m[1])
	}
	if !slices.Contains(names, "CORPUS") {
		t.Fatalf("streams of fleet/jet/layout.go: %q", names)
	}
	return names
}

// TestCommandLines checks that units, manifests and the container use only flags that the command
// has.
func TestCommandLines(t *testing.T) {
	flags := map[string][]string{
		"serve": {"-dir", "-config", "-http", "-log", "-log-level"},
		"agent": {"-cred", "-dir", "-workers", "-http", "-log", "-log-level"},
	}
	for file, command := range map[string]string{
		"systemd/allele-agent.service": "agent", "systemd/allele-fleet.service": "serve",
	} {
		line := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/allele-fleet (\w+) (.*)$`).FindStringSubmatch(string(read(t, file)))
		if line == nil || line[1] != command {
			t.Errorf("%s: ExecStart is %q", file, line)
			continue
		}
		checkFlags(t, file, flags[command], strings.Fields(line[2]))
	}
	for _, set := range load(t).sets {
		args := set.Spec.Template.Spec.Containers[0].Args
		checkFlags(t, set.Name, flags[args[0]], args[1:])
	}
}

func checkFlags(t *testing.T, where string, flags, args []string) {
	t.Helper()
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(name, "-") && !slices.Contains(flags, name) {
			t.Errorf("%s: the command has no flag %s", where, name)
		}
	}
}

// run runs a tool and returns everything that it printed.
func run(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	return string(out), err
}
