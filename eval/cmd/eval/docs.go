package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// A table in a page is the text between an opening and a closing line. This command
// writes that text: numbers in pages are never typed by hand. In the opening line, the
// name may be followed by a selection of rows, such as strategy=guided, or by the word
// summary.
var (
	opening = regexp.MustCompile(`^<!-- eval:([\w-]+)(?: (summary|\w+=\S+))? -->$`)
	closing = "<!-- /eval -->"
)

// docs rewrites the tables in README.md and docs/ below root from eval/results. If check
// is true, it changes no page and fails if a page is out of date.
func docs(root string, check bool, stdout io.Writer) error {
	pages, err := pagesOf(root)
	if err != nil {
		return err
	}
	var stale []string
	for _, page := range pages {
		changed, err := refresh(root, page, check)
		if err != nil {
			return fmt.Errorf("page %s: %w", page, err)
		}
		if changed {
			stale = append(stale, page)
		}
	}
	if check && len(stale) > 0 {
		return fmt.Errorf("out of date, run eval docs: %s", strings.Join(stale, ", "))
	}
	for _, page := range stale {
		fmt.Fprintf(stdout, "rewrote %s\n", page)
	}
	return nil
}

// pagesOf lists the pages, relative to root. Neither the README nor docs/ need exist.
func pagesOf(root string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(root, "eval", "go.mod")); err != nil {
		return nil, errors.New("eval docs runs in the eval folder of the repository")
	}
	var pages []string
	for _, top := range []string{"README.md", "docs"} {
		err := fs.WalkDir(os.DirFS(root), top, func(name string, d fs.DirEntry, err error) error {
			if name == top && errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && filepath.Ext(name) == ".md" {
				pages = append(pages, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// refresh updates one page, and reports whether it was out of date.
func refresh(root, page string, check bool) (changed bool, err error) {
	file := filepath.Join(root, page)
	old, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	text, err := fill(string(old), func(name, part string) (string, error) {
		return block(filepath.Join(root, "eval", "results", name+".json"), part)
	})
	if err != nil || text == string(old) {
		return false, err
	}
	if check {
		return true, nil
	}
	return true, replace(file, []byte(text))
}

// fill puts a fresh block between every pair of markers. A marker counts only if
// it is alone on its line, so that pages can mention markers.
func fill(page string, block func(name, part string) (string, error)) (string, error) {
	var out strings.Builder
	open := "" // name of the current block
	for line := range strings.Lines(page) {
		bare := strings.TrimSpace(line)
		m := opening.FindStringSubmatch(bare)
		if open != "" && m != nil {
			break // the end marker is missing; continuing would delete the text in between
		}
		if open != "" && bare != closing {
			continue // the old block
		}
		open = ""
		out.WriteString(line)
		if m != nil {
			open = m[1]
			fresh, err := block(open, m[2])
			if err != nil {
				return "", err
			}
			out.WriteString("\n" + fresh + "\n")
		}
	}
	if open != "" {
		return "", fmt.Errorf("block eval:%s is not closed", open)
	}
	return out.String(), nil
}

// block returns the text that a page shows for a result: the table, the machine it
// was measured on, and the command to measure it again.
func block(file, part string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read result: %w", err)
	}
	var result lab.Result
	if err := json.Unmarshal(data, &result); err != nil {
		return "", fmt.Errorf("read result %s: %w", file, err)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	shown, err := shownOf(&result, part)
	if err != nil {
		return "", fmt.Errorf("result %s: %w", file, err)
	}
	again := strings.TrimSpace(result.Experiment + " " + result.Flags)
	return fmt.Sprintf("%s\n%s%s. Again: `cd eval && go run ./cmd/eval %s -json results/%s.json`.\n",
		shown, seeds(&result), result.Machine, again, name), nil
}

// shownOf returns the part of a result that a page shows: all rows, the rows with
// a given value in a column, or the summary.
func shownOf(r *lab.Result, part string) (string, error) {
	if part == "" {
		return lab.Markdown(r.Rows), nil
	}
	if part == "summary" {
		var b strings.Builder
		for _, k := range slices.Sorted(maps.Keys(r.Summary)) {
			fmt.Fprintf(&b, "- %s: %v\n", k, r.Summary[k])
		}
		return b.String(), nil
	}
	column, value, _ := strings.Cut(part, "=")
	var rows []lab.Row
	for _, row := range r.Rows {
		if fmt.Sprint(row.Get(column)) == value {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("no row has %s", part)
	}
	return lab.Markdown(rows), nil
}

// seeds returns the number of seeds of a result as text, or "" for fewer than two.
func seeds(r *lab.Result) string {
	if len(r.Seeds) < 2 {
		return ""
	}
	return fmt.Sprintf("%d seeds; ", len(r.Seeds))
}
