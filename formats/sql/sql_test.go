package sql

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/program"
)

// Scripts run without an error about a table or a column: all that they use were created before.
func TestSQLite(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("sqlite3 is not installed")
	}
	p := &program.Program{Args: []string{"sqlite3", "-init", "@@", ":memory:", ""}}
	defer p.Close()
	allele.Check(t, func(t *allele.T, b []byte) {
		r, err := p.Run(b)
		if err != nil {
			t.Fatal(err)
		}
		if r.Code != 0 || strings.Contains(r.Stderr, "no such") {
			t.Fatalf("code %d: %s\n%s", r.Code, r.Stderr, b)
		}
	}, allele.Through(SQL), Statements, allele.Tests(40), allele.Seed(1))
}

// A row has a value for each column of its table. A statement before the first table is left out.
func ExampleSQL() {
	b, _ := SQL(Script{
		Select{},
		Create{Columns: []Column{{Text: true}}},
		Insert{Into: 9, Values: []Value{{Number: 7}, {Text: "it's"}}},
		Select{Column: 3, Where: []Condition{{Op: 2, Value: Value{Number: 8}}}, Limit: 5},
	})
	fmt.Print(string(b))
	// Output:
	// CREATE TABLE t0 (c0 INTEGER, c1 TEXT);
	// INSERT INTO t0 VALUES (7, 'it''s');
	// SELECT c1 FROM t0 WHERE c0 < 8 ORDER BY c0 LIMIT 5;
}
