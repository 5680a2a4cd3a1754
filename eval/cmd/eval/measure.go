package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// measure runs the experiment and shows its result. It prints the table before it writes
// the file, so that an hour of work is not lost if the disk is full. It also shows the
// result of an experiment that failed because its figures are bad.
func measure(e lab.Experiment, cmd *command, stdout io.Writer) error {
	result, err := e.Run(cmd.config)
	if err != nil {
		err = fmt.Errorf("experiment %s: %w", e.Name, err)
	}
	if result == nil {
		return err
	}
	return errors.Join(err, publish(e, result, cmd, stdout))
}

func publish(e lab.Experiment, result *lab.Result, cmd *command, stdout io.Writer) error {
	result.Experiment, result.Machine, result.Versions = e.Name, lab.Machine(), lab.Versions()
	result.Flags = flags(cmd.config)
	if cmd.json != "-" {
		show(stdout, result)
	}
	if cmd.json == "" {
		return nil
	}
	data, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return fmt.Errorf("experiment %s: write result: %w", e.Name, err)
	}
	data = append(data, '\n')
	if cmd.json == "-" {
		_, err := stdout.Write(data)
		return err
	}
	if err := replace(cmd.json, data); err != nil || result.Plot == nil {
		return err
	}
	return replace(strings.TrimSuffix(cmd.json, ".json")+".svg", result.Plot)
}

// flags returns the flags that make an experiment measure something else than by default, as on a
// command line. The flag -only is not one of them: it says what is measured again.
func flags(c lab.Config) string {
	var all []string
	if c.Seeds > 0 {
		all = append(all, fmt.Sprintf("-seeds %d", c.Seeds))
	}
	if c.Budget > 0 {
		all = append(all, fmt.Sprintf("-budget %v", c.Budget))
	}
	return strings.Join(all, " ")
}

func show(w io.Writer, r *lab.Result) {
	fmt.Fprintf(w, "%s: %s%s\n\n%s", r.Experiment, seeds(r), r.Machine, lab.Text(r.Rows))
	if len(r.Summary) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, name := range slices.Sorted(maps.Keys(r.Summary)) {
		fmt.Fprintf(w, "%s: %v\n", name, r.Summary[name])
	}
}

// replace writes a file atomically, so that an interrupted run never overwrites a
// good result with half a result.
func replace(file string, data []byte) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".eval-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	_, err = temp.Write(data)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(temp.Name(), 0o644) // CreateTemp lets only the user read the file
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.Rename(temp.Name(), file)
}
