package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// A dashboard is what the tests read of grafana.json.
type dashboard struct {
	UID, Title    string
	SchemaVersion int
	Templating    struct {
		List []struct {
			Name, Type string
			Query      json.RawMessage
		}
	}
	Panels []panel
}

type panel struct {
	ID                       int
	Type, Title, Description string
	Datasource               datasource
	GridPos                  struct{ X, Y, W, H int }
	Targets                  []struct {
		RefID, Expr string
		Datasource  datasource
	}
}

type datasource struct{ Type, UID string }

func loadDashboard(t *testing.T) dashboard {
	t.Helper()
	var d dashboard
	if err := json.Unmarshal(read(t, "grafana.json"), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

const gridWidth = 24 // of Grafana

func TestDashboardForm(t *testing.T) {
	d := loadDashboard(t)
	if d.UID == "" || d.Title == "" || d.SchemaVersion < 41 {
		t.Errorf("uid %q, title %q, schemaVersion %d", d.UID, d.Title, d.SchemaVersion)
	}
	if v := d.Templating.List; len(v) != 2 || v[0].Name != "datasource" || v[0].Type != "datasource" || v[1].Name != "campaign" {
		t.Errorf("variables: %+v", v)
	}
	want := datasource{"prometheus", "${datasource}"}
	ids, used := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || p.Description == "" || p.Datasource != want || len(p.Targets) == 0 {
			t.Errorf("panel %d %q: the id is used twice, or something is missing", p.ID, p.Title)
		}
		ids[p.ID] = true
		refs := map[string]bool{}
		for _, target := range p.Targets {
			if refs[target.RefID] || target.Datasource != want {
				t.Errorf("%s: target %q", p.Title, target.RefID)
			}
			refs[target.RefID] = true
		}
		if p.GridPos.W <= 0 || p.GridPos.H <= 0 || p.GridPos.X+p.GridPos.W > gridWidth {
			t.Errorf("%s: position %+v", p.Title, p.GridPos)
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other, taken := used[[2]int{x, y}]; taken {
					t.Fatalf("%s overlaps %s", p.Title, other)
				}
				used[[2]int{x, y}] = p.Title
			}
		}
	}
}

// TestDashboardExpressions checks every expression, and that no metric is forgotten.
func TestDashboardExpressions(t *testing.T) {
	known, shown := metrics(t), map[string]bool{}
	d := loadDashboard(t)
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			for _, problem := range problems(known, target.Expr, shown) {
				t.Errorf("%s: %s: %s", p.Title, target.Expr, problem)
			}
		}
	}
	var query struct{ Query string }
	if err := json.Unmarshal(d.Templating.List[1].Query, &query); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`^label_values\((\w+), (\w+)\)$`).FindStringSubmatch(query.Query)
	if m == nil || known[m[1]] == nil || !slices.Contains(known[m[1]], m[2]) {
		t.Errorf("variable campaign: %s", query.Query)
	}
	for name := range known {
		if !shown[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// TestExpressionProblems checks that the check of expressions finds mistakes.
func TestExpressionProblems(t *testing.T) {
	known := metrics(t)
	for expr, want := range map[string]string{
		`sum(rate(allele_agent_runs_total{campaign=~"$campaign"}[$__rate_interval]))`: "",
		`sum(allele_server_cases`:                 "parse error",
		`allele_server_case`:                      "no metric",
		`allele_server_cases{camp="x"}`:           "no label camp",
		`sum by (version) (allele_server_cases)`:  "no label version",
		`rate(allele_server_cases[5m])`:           "is no counter",
		`sum(allele_agent_runs_total)`:            "without rate",
		`rate(allele_agent_runs_total[1m] @ 2m])`: "parse error",
	} {
		got := strings.Join(problems(known, expr, map[string]bool{}), "; ")
		if !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", expr, got, want)
		}
	}
}

// fromScrape has the labels that Prometheus adds.
var fromScrape = []string{"instance", "job", "__name__"}

// problems checks an expression of PromQL and adds the metrics that it reads to shown.
func problems(known map[string][]string, expr string, shown map[string]bool) (found []string) {
	expr = strings.NewReplacer("$__rate_interval", "5m", "$campaign", "parser|codec").Replace(expr)
	tree, err := parser.NewParser(parser.Options{}).ParseExpr(expr)
	if err != nil {
		return []string{fmt.Sprintf("parse error: %v", err)}
	}
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	var have []string // labels of all metrics of the expression
	parser.Inspect(tree, func(node parser.Node, path []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		kind, ok := known[selector.Name]
		if !ok {
			report("no metric %s", selector.Name)
			return nil
		}
		shown[selector.Name] = true
		have = append(have, kind[1:]...)
		for _, m := range selector.LabelMatchers {
			checkLabel(kind[1:], m, report)
		}
		if asCounter := counted(path); asCounter && kind[0] != "counter" {
			report("%s is no counter", selector.Name)
		} else if !asCounter && kind[0] == "counter" {
			report("%s is a counter without rate", selector.Name)
		}
		return nil
	})
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		if sum, ok := node.(*parser.AggregateExpr); ok && !sum.Without {
			for _, label := range sum.Grouping {
				if !slices.Contains(have, label) && !slices.Contains(fromScrape, label) {
					report("no label %s", label)
				}
			}
		}
		return nil
	})
	return found
}

func checkLabel(have []string, m *labels.Matcher, report func(string, ...any)) {
	if !slices.Contains(have, m.Name) && !slices.Contains(fromScrape, m.Name) {
		report("no label %s", m.Name)
	}
}

// counted reports whether a function that is for counters only is around a node.
func counted(path []parser.Node) bool {
	return slices.ContainsFunc(path, func(node parser.Node) bool {
		call, ok := node.(*parser.Call)
		return ok && slices.Contains([]string{"rate", "irate", "increase"}, call.Func.Name)
	})
}

// TestAlerts checks alerts.yaml, which is a file of rules for Prometheus.
func TestAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string `json:"name"`
			Rules []struct {
				Alert       string            `json:"alert"`
				Expr        string            `json:"expr"`
				For         string            `json:"for"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	}
	if err := strictYAML(read(t, "alerts.yaml"), &file); err != nil {
		t.Fatal(err)
	}
	known, names := metrics(t), map[string]bool{}
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			if names[rule.Alert] || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" {
				t.Errorf("%s: the name is used twice, or something is missing", rule.Alert)
			}
			names[rule.Alert] = true
			for _, problem := range problems(known, rule.Expr, map[string]bool{}) {
				t.Errorf("%s: %s", rule.Alert, problem)
			}
		}
	}
	if len(names) < 5 {
		t.Errorf("only %d alerts", len(names))
	}
}
