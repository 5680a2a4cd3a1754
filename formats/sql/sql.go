// Package sql has statements of SQL.
//
// A script creates tables, adds rows and reads them. Tables and columns are numbers, which stand for
// those that were created before. So a script stays valid however its value is changed, and statements
// for which there is no table are left out.
//
// A test without the command declares what a Statement can be:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(sql.SQL), sql.Statements)
package sql

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/allele-go/allele"
)

// Script is statements of SQL.
type Script []Statement

// Statement is a statement: one of Create, Insert and Select.
type Statement interface{ statement() }

// Statements declares what a Statement can be.
var Statements = allele.Variants[Statement](Create{}, Insert{}, Select{})

// Ref is a table or a column of a table: its number among those that were created.
type Ref uint8

type (
	// Create creates a table.
	Create struct{ Columns []Column }
	// Insert adds a row to a table.
	Insert struct {
		Into   Ref
		Values []Value
	}
	// Select reads a table.
	Select struct {
		From, Column, Order Ref
		Where               []Condition
		Count, Desc         bool
		Limit               uint8
	}
)

// Column is a column of a table.
type Column struct {
	Text, Unique bool
}

// Value is a value of a row: it is written as the type of its column says.
type Value struct {
	Null   bool
	Number int32
	Text   string
}

// Condition is a condition of a Select.
type Condition struct {
	Column Ref
	Op     uint8
	Value  Value
	Or     bool
}

func (Create) statement() {}
func (Insert) statement() {}
func (Select) statement() {}

// SQL writes statements. They use tables and columns that were created before.
func SQL(v Script) ([]byte, error) {
	var b bytes.Buffer
	var tables [][]Column
	for _, c := range v {
		switch c := c.(type) {
		case Create:
			columns := append([]Column{{}}, c.Columns[:min(8, len(c.Columns))]...)
			tables = append(tables, columns)
			var all []string
			for i, x := range columns {
				all = append(all, fmt.Sprintf("c%d %s%s", i, choose(x.Text, "TEXT", "INTEGER"), choose(x.Unique, " UNIQUE", "")))
			}
			fmt.Fprintf(&b, "CREATE TABLE t%d (%s);\n", len(tables)-1, strings.Join(all, ", "))
		case Insert:
			if len(tables) == 0 {
				continue
			}
			t := int(c.Into) % len(tables)
			var all []string
			for i, x := range tables[t] {
				v := Value{Null: true}
				if i < len(c.Values) {
					v = c.Values[i]
				}
				all = append(all, v.sql(x.Text))
			}
			fmt.Fprintf(&b, "INSERT INTO t%d VALUES (%s);\n", t, strings.Join(all, ", "))
		case Select:
			if len(tables) > 0 {
				writeSelect(&b, c, tables)
			}
		}
	}
	return b.Bytes(), nil
}

func writeSelect(b *bytes.Buffer, c Select, tables [][]Column) {
	t := int(c.From) % len(tables)
	columns := tables[t]
	column := func(u Ref) int { return int(u) % len(columns) }
	what := fmt.Sprintf("c%d", column(c.Column))
	fmt.Fprintf(b, "SELECT %s FROM t%d", choose(c.Count, "COUNT("+what+")", what), t)
	for i, w := range c.Where {
		k := column(w.Column)
		op := []string{"=", "<>", "<", ">", "LIKE", "IS NOT"}[w.Op%6]
		fmt.Fprintf(b, " %s c%d %s %s", choose(i == 0, "WHERE", choose(w.Or, "OR", "AND")), k, op, w.Value.sql(columns[k].Text))
	}
	if !c.Count {
		fmt.Fprintf(b, " ORDER BY c%d%s LIMIT %d", column(c.Order), choose(c.Desc, " DESC", ""), c.Limit)
	}
	b.WriteString(";\n")
}

func (v Value) sql(text bool) string {
	switch {
	case v.Null:
		return "NULL"
	case text:
		return "'" + strings.NewReplacer("'", "''", "\x00", "").Replace(strings.ToValidUTF8(v.Text, "?")) + "'"
	}
	return strconv.Itoa(int(v.Number))
}

func choose(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}
