package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// A Row is one line of a table: named values in the order they are shown. In JSON it
// is an object whose keys keep that order, so a table made from a file has the
// columns in the experiment's order.
type Row []Cell

// A Cell is one value of a row. After reading from a file a number is a json.Number.
type Cell struct {
	Column string
	Value  any
}

// Col returns a cell. It panics for a duration, which would become a bare count of
// nanoseconds in JSON: pass a number, and name its unit in the column.
func Col(column string, value any) Cell {
	if _, bare := value.(time.Duration); bare {
		panic("lab: column " + column + " is a duration; pass a number and name the unit in the column")
	}
	return Cell{Column: column, Value: value}
}

// Get returns the value in a column, or nil.
func (r Row) Get(column string) any {
	for _, c := range r {
		if c.Column == column {
			return c.Value
		}
	}
	return nil
}

// MarshalJSON writes the row as an object. Two cells with the same column are an
// error: a reader would silently drop one of them.
func (r Row) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, c := range r {
		if r[:i].has(c.Column) {
			return nil, fmt.Errorf("duplicate column %q in a row", c.Column)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if err := c.write(&out); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (r Row) has(column string) bool {
	return slices.ContainsFunc(r, func(c Cell) bool { return c.Column == column })
}

func (c Cell) write(out *bytes.Buffer) error {
	key, err := json.Marshal(c.Column)
	if err != nil {
		return err
	}
	value, err := json.Marshal(c.Value)
	if err != nil {
		return fmt.Errorf("column %q: %w", c.Column, err)
	}
	out.Write(key)
	out.WriteByte(':')
	out.Write(value)
	return nil
}

// UnmarshalJSON reads an object and keeps the order of its keys.
func (r *Row) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("row is not an object: %s", data)
	}
	*r = Row{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		cell := Cell{Column: key.(string)} // the decoder accepts only strings as keys
		if err := dec.Decode(&cell.Value); err != nil {
			return err
		}
		*r = append(*r, cell)
	}
	return nil
}

// Columns lists the columns of all rows, in the order of their first appearance.
func Columns(rows []Row) []string {
	var columns []string
	for _, row := range rows {
		for _, c := range row {
			if !slices.Contains(columns, c.Column) {
				columns = append(columns, c.Column)
			}
		}
	}
	return columns
}
