// Package protos measures whether generated protobuf messages derive, and whether they are valid: they must be the
// same after they are written and read, in the wire format and in JSON. It writes a module with a property for
// every message type of some published packages, in plain go test and without a declaration.
package protos

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment fails if a message type does not derive, or if its property fails.
var Experiment = lab.Experiment{
	Name: "protos",
	Doc:  "every message type of published protobuf packages as an input: round trips by wire and by JSON, without a declaration",
	Run:  run,
}

// subject is a package with messages.
type subject struct {
	pkg   string // import path; in the written module if it begins with "own/"
	api   string
	codec string // file of testdata/module with the property
	quick bool
}

var subjects = []subject{
	{pkg: "own/shop", api: "open", codec: "golang", quick: true},
	{pkg: "own/legacy", api: "open, proto2", codec: "golang", quick: true},
	{pkg: "own/shopopaque", api: "opaque", codec: "golang", quick: true},
	{pkg: "google.golang.org/protobuf/types/descriptorpb", api: "open, proto2", codec: "golang"},
	{pkg: "google.golang.org/protobuf/types/known/structpb", api: "open", codec: "golang"},
	{pkg: "google.golang.org/genproto/googleapis/api/serviceconfig", api: "open", codec: "golang"},
	{pkg: "google.golang.org/genproto/googleapis/rpc/errdetails", api: "open", codec: "golang"},
	{pkg: "cloud.google.com/go/longrunning/autogen/longrunningpb", api: "open", codec: "golang"},
	{pkg: "google.golang.org/grpc/channelz/grpc_channelz_v1", api: "open", codec: "golang"},
	{pkg: "go.opentelemetry.io/proto/otlp/metrics/v1", api: "open", codec: "golang"},
	{pkg: "github.com/envoyproxy/go-control-plane/envoy/config/route/v3", api: "open", codec: "golang"},
	{pkg: "go.etcd.io/etcd/api/v3/etcdserverpb", api: "gogo", codec: "gogo"},
	{pkg: "go.etcd.io/raft/v3/raftpb", api: "gogo, proto2", codec: "gogo"},
	{pkg: "k8s.io/api/core/v1", api: "gogo", codec: "k8s"},
}

//go:embed testdata
var files embed.FS

const runsOfEach = 200

func run(cfg lab.Config) (*lab.Result, error) {
	dir, release, err := foreign.Hold("protos", "all")
	if err != nil {
		return nil, err
	}
	defer release()
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	m := module{dir: filepath.Join(dir, "module")}
	if err := m.write(); err != nil {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{}}
	total := outcome{}
	for i, s := range subjects {
		if cfg.Quick && !s.quick || !only(s.pkg) {
			continue
		}
		cfg.Logf("%s", s.pkg)
		o, err := m.visit(fmt.Sprintf("p%d", i), s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.pkg, err)
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("package", s.pkg), lab.Col("API", s.api), lab.Col("messages", o.messages),
			lab.Col("derived", o.derived), lab.Col("false failures", len(o.failed))})
		total.messages, total.derived, total.failed = total.messages+o.messages, total.derived+o.derived, append(total.failed, o.failed...)
	}
	if total.messages == 0 {
		return nil, errors.New("no message was used")
	}
	res.Summary["packages"], res.Summary["messages"], res.Summary["runs of each"] = len(res.Rows), total.messages, runsOfEach
	res.Summary["derived"], res.Summary["false failures"] = total.derived, len(total.failed)
	if total.derived < total.messages || len(total.failed) > 0 {
		return res, fmt.Errorf("%d of %d messages derive; failures: %s", total.derived, total.messages, strings.Join(total.failed, ", "))
	}
	return res, nil
}

// outcome is what happened with the messages of a package.
type outcome struct {
	messages, derived int
	failed            []string // messages that derive, with a property that fails
}

// module is the written module.
type module struct{ dir string }

// write writes go.mod and the packages of the module itself.
func (m module) write() error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(m.dir); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := files.ReadFile("testdata/module/" + name + ".txt")
		if err != nil {
			return err
		}
		if err := m.file(name, strings.ReplaceAll(string(data), "ROOT", root)); err != nil {
			return err
		}
	}
	for _, name := range []string{"shop", "legacy", "shopopaque"} {
		data, err := files.ReadFile("testdata/" + name + "/" + name + ".pb.go")
		if err != nil {
			return err
		}
		if err := m.file("own/"+name+"/"+name+".pb.go", string(data)); err != nil {
			return err
		}
	}
	return nil
}

func (m module) file(name, text string) error {
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// generated matches the methods that only messages have.
var generated = regexp.MustCompile(`(?m)^func \([xm] \*(\w+)\) ` +
	`(?:ProtoReflect\(\) protoreflect\.Message|Marshal\(\) \(dAtA \[\]byte, err error\))`)

// messages returns the names of the message types in a folder.
func messages(dir string) (names []string, err error) {
	sources, err := filepath.Glob(filepath.Join(dir, "*.pb.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range sources {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, match := range generated.FindAllSubmatch(data, -1) {
			names = append(names, string(match[1]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

var (
	verdicts = regexp.MustCompile(`(?m)^ +--- (PASS|FAIL): TestMessages/(\w+) `)
	refused  = regexp.MustCompile(`allele: cannot derive `)
)

func (m module) visit(folder string, s subject) (o outcome, err error) {
	pkg := s.pkg
	if strings.HasPrefix(pkg, "own/") {
		pkg = "protos/" + pkg
	}
	dir, err := foreign.Go(m.dir, nil, "list", "-f", "{{.Dir}}", pkg)
	if err != nil {
		return o, err
	}
	names, err := messages(strings.TrimSpace(dir))
	if err != nil {
		return o, err
	}
	if len(names) == 0 {
		return o, fmt.Errorf("no messages in %s", dir)
	}
	data, err := files.ReadFile("testdata/module/" + s.codec + "_test.go.txt")
	if err != nil {
		return o, err
	}
	var calls strings.Builder
	for _, name := range names {
		fmt.Fprintf(&calls, "\tcheck[*subject.%s](t, %q)\n", name, name)
	}
	text := strings.NewReplacer("SUBJECT", pkg, "RUNS", fmt.Sprint(runsOfEach), "\tCALLS\n", calls.String()).Replace(string(data))
	if err := m.file(folder+"/messages_test.go", text); err != nil {
		return o, err
	}
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-v", "./"+folder)
	cmd.Dir, cmd.Env = m.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	out, _ := cmd.CombinedOutput() // the verdicts show whether it ran
	all := verdicts.FindAllStringSubmatch(string(out), -1)
	if o.messages = len(names); len(all) != len(names) {
		return o, fmt.Errorf("%d of %d messages have a verdict:\n%s", len(all), len(names), out)
	}
	o.derived = len(names) - len(refused.FindAllIndex(out, -1))
	for _, v := range all {
		if v[1] == "FAIL" {
			o.failed = append(o.failed, s.pkg+"."+v[2])
		}
	}
	return o, nil
}
