package lab

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text renders rows as an aligned table for a terminal. Numbers are right-aligned.
func Text(rows []Row) string {
	cells := grid(rows)
	if len(cells) == 0 {
		return ""
	}
	width := widths(cells)
	var out strings.Builder
	for _, line := range cells {
		var padded []string
		for i, c := range line {
			padded = append(padded, c.pad(width[i]))
		}
		out.WriteString(strings.TrimRight(strings.Join(padded, "  "), " ") + "\n")
	}
	return out.String()
}

// Markdown renders rows as a table for a page. A column is right-aligned if all its
// values are numbers.
func Markdown(rows []Row) string {
	cells := grid(rows)
	if len(cells) == 0 {
		return ""
	}
	var out strings.Builder
	for i, line := range cells {
		var texts []string
		for _, c := range line {
			texts = append(texts, strings.ReplaceAll(c.text, "|", `\|`))
		}
		out.WriteString("| " + strings.Join(texts, " | ") + " |\n")
		if i == 0 {
			out.WriteString(rule(line))
		}
	}
	return out.String()
}

func rule(heading []cellText) string {
	line := "|"
	for _, c := range heading {
		if c.number {
			line += "---:|"
		} else {
			line += "---|"
		}
	}
	return line + "\n"
}

// A cellText is a cell as text. The heading of a column counts as a number if all values
// of the column are numbers.
type cellText struct {
	text   string
	number bool
}

func (c cellText) pad(width int) string {
	space := strings.Repeat(" ", width-utf8.RuneCountInString(c.text))
	if c.number {
		return space + c.text
	}
	return c.text + space
}

// grid returns the whole table as text, headings first. A missing value is empty.
func grid(rows []Row) [][]cellText {
	columns := Columns(rows)
	if len(columns) == 0 {
		return nil
	}
	cells := make([][]cellText, 1+len(rows))
	for _, column := range columns {
		heading := cellText{column, true}
		for i, row := range rows {
			c := show(row.Get(column))
			heading.number = heading.number && (c.number || c.text == "")
			cells[1+i] = append(cells[1+i], c)
		}
		cells[0] = append(cells[0], heading)
	}
	return cells
}

func widths(cells [][]cellText) []int {
	width := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, c := range line {
			width[i] = max(width[i], utf8.RuneCountInString(c.text))
		}
	}
	return width
}

// show formats a value. The text is the same before the value is written to JSON and
// after it is read back, so the terminal and the page agree.
func show(value any) cellText {
	switch v := value.(type) {
	case nil:
		return cellText{}
	case string:
		return cellText{v, false}
	case float64:
		return cellText{short(v), true}
	case json.Number:
		return cellText{shortNumber(v), true}
	case int, int64, uint64, uint32, int32:
		return cellText{fmt.Sprint(v), true}
	}
	return cellText{fmt.Sprint(value), false}
}

func shortNumber(n json.Number) string {
	x, err := n.Float64()
	if err != nil || !strings.ContainsAny(n.String(), ".eE") {
		return n.String() // an integer is shown in full
	}
	return short(x)
}

// short formats a number with three significant digits, or all digits before the
// point. Below a thousandth (error rates, p-values) it uses an exponent, which is
// easier to read than zeros.
func short(x float64) string {
	size := math.Abs(x)
	switch {
	case x == math.Trunc(x) && size < 1e15:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case size >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case size < 1e-3:
		return strconv.FormatFloat(x, 'e', 1, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
