package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// An experiment that takes long keeps the outcome of each part in a file, so that it goes on after
// an interrupt. Recall returns such an outcome, and whether there is one.
func Recall[Outcome any](file string) (o Outcome, known bool) {
	data, err := os.ReadFile(file)
	return o, err == nil && json.Unmarshal(data, &o) == nil
}

// Keep stores the outcome of a part.
func Keep(file string, outcome any) error {
	data, err := json.MarshalIndent(outcome, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(file, data)
}

// WriteFile writes a file, and makes its folder if necessary.
func WriteFile(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
