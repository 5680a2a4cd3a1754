package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema checks that a JSON file is valid: schema NAME FILE. The schema is in testdata/schema.
func schema(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: schema name file")
	}
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(ts.Getenv("ROOT"), "e2e", "testdata", "schema", args[0]))
	ts.Check(err)
	data, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[1])))
	ts.Check(err)
	if err := s.Validate(data); err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
}

var runOfStep = regexp.MustCompile(`(?m)^ *- run: (.*)$`)

// steps writes the commands of the job in a page of the guide to a shell script: steps page file.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: steps page file")
	}
	page, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "docs", "guide", args[0]+".md"))
	ts.Check(err)
	script := "set -ex\n"
	for _, m := range runOfStep.FindAllSubmatch(page, -1) {
		script += strings.ReplaceAll(string(m[1]), "go tool allele", "allele") + "\n"
	}
	if !strings.Contains(script, "allele score ") {
		ts.Fatalf("%s has no step that runs allele score", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(script), 0o666))
}
