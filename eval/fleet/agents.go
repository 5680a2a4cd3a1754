package fleet

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// Agents fails if a planted failure is lost or stored twice.
var Agents = lab.Experiment{
	Name: "fleetagents",
	Doc:  "a module with planted bugs on one host, on four, and on four whose agents are killed at random: what is stored",
	Run:  runAgents,
}

var agentsLine = regexp.MustCompile(`agents (\d+) killed (\d+) planted (\d+) stored (\d+)`)

// runAgents runs the tests of the command, with more kills than in the check of the repository. They use real servers, agents and
// workers.
func runAgents(cfg lab.Config) (*lab.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	const kills = 50
	const tests = "^(TestSameFindings|TestKilledAgents)$"
	args := []string{"test", "-count=1", "-v", "-timeout=30m", "-run", tests, "./cmd/allele-fleet"}
	if cfg.Quick { // the check of the repository runs these tests, with fewer kills, so here they need only exist
		args = []string{"test", "-list", tests, "./cmd/allele-fleet"}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join("..", "fleet")
	cmd.Env = append(os.Environ(), fmt.Sprintf("ALLELE_FLEET_KILLS=%d", kills), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	res := &lab.Result{}
	var p problems
	if cfg.Quick {
		listed := strings.Count("\n"+string(out), "\nTest")
		p.check(listed == 2, "allele-fleet has %d of the 2 tests", listed)
		return res, p.err()
	}
	for _, m := range agentsLine.FindAllStringSubmatch(string(out), -1) {
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+1]) // digits
		}
		p.check(n[2] == n[3], "%d failures planted, %d stored", n[2], n[3])
		res.Rows = append(res.Rows, lab.Row{lab.Col("agents", n[0]), lab.Col("killed", n[1]), lab.Col("failures planted", n[2]),
			lab.Col("failures stored", n[3])})
	}
	p.check(len(res.Rows) == 3, "%d campaigns", len(res.Rows))
	return res, p.err()
}
