package overhead

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// patches remove randomness from the runtime: loops over a map start at the same key, and
// hashes are the same, in every process. Without the patches two builds could not be
// compared, because libraries loop over maps: even the same build takes different paths
// in two processes. The patches fit one version of Go; patch returns an error for a
// version that needs other patches.
var patches = [][2]string{
	{"func maps_rand() uint64 {\n\treturn rand()\n}", "func maps_rand() uint64 {\n\treturn 1\n}"},
	{"\tglobalRand.state.Init(*seed)\n", "\tclear(seed[:])\n\tseed[0] = 1\n\tglobalRand.state.Init(*seed)\n"},
}

// fixMaps adds a patched runtime to an overlay.
func (s *scratch) fixMaps(overlay string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "runtime", "rand.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return err
	}
	text, err := patch(string(source))
	if err != nil {
		return fmt.Errorf("%s: %w", original, err)
	}
	patched := filepath.Join(s.dir, "rand.go")
	if err := os.WriteFile(patched, []byte(text), 0o666); err != nil {
		return err
	}
	data, err := os.ReadFile(overlay)
	if err != nil {
		return err
	}
	var files struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &files); err != nil {
		return fmt.Errorf("%s: %w", overlay, err)
	}
	files.Replace[original] = patched
	if data, err = json.Marshal(files); err != nil {
		return err
	}
	return os.WriteFile(overlay, data, 0o666)
}

func patch(source string) (string, error) {
	for _, p := range patches {
		if strings.Count(source, p[0]) != 1 {
			return "", fmt.Errorf("%s has another runtime; adapt the patch of\n%s", runtime.Version(), p[0])
		}
		source = strings.Replace(source, p[0], p[1], 1)
	}
	return source, nil
}
