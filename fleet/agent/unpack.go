package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/internal/campaign/bundle"
)

const manifestFile = "manifest.json"

// unpacked returns the folder of an order's bundle, and its manifest. It gets and unpacks the bundle
// unless an earlier start has done so.
func (a *Agent) unpacked(ctx context.Context, o order.Order) (dir string, m *bundle.Manifest, err error) {
	dir = filepath.Join(a.config.Dir, "bundles", o.Bundle)
	if m, err = readManifest(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return dir, m, err
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(part, 0o700); err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(part) // after the rename there is none
	if m, err = a.get(ctx, o, part); err != nil {
		return "", nil, fmt.Errorf("bundle %.12s: %w", o.Bundle, err)
	}
	a.keepCases(m, part)
	text, err := json.Marshal(m)
	if err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(filepath.Join(part, manifestFile), text, 0o600); err != nil {
		return "", nil, err
	}
	if err := os.Rename(part, dir); err != nil {
		return "", nil, err
	}
	a.prune(o.Bundle)
	return dir, m, nil
}

// bundlesMax is how many bundles an agent keeps: one to search, and one to go back to.
const bundlesMax = 2

// prune removes old bundles, whose failing cases the new one has.
func (a *Agent) prune(keep string) {
	dir := filepath.Join(a.config.Dir, "bundles")
	all, _ := os.ReadDir(dir) // what cannot be read stays
	when := func(e fs.DirEntry) (t time.Time) {
		if info, err := e.Info(); err == nil {
			t = info.ModTime()
		}
		return t
	}
	slices.SortFunc(all, func(x, y fs.DirEntry) int { return when(y).Compare(when(x)) })
	kept := 1
	for _, e := range all {
		if e.Name() == keep {
			continue
		}
		if kept++; kept > bundlesMax {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

func readManifest(dir string) (*bundle.Manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return nil, err
	}
	m := &bundle.Manifest{}
	return m, json.Unmarshal(text, m)
}

// get gets a bundle, whose hash the transport verifies, and unpacks it.
func (a *Agent) get(ctx context.Context, o order.Order, to string) (*bundle.Manifest, error) {
	file, err := os.CreateTemp(a.config.Dir, "bundle-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := a.fleet.Bin(ctx, o.Bundle, &bounded{file, o.Size}); err != nil {
		return nil, err
	}
	m, err := bundle.Unpack(file, o.Size, to)
	if err != nil {
		return nil, err
	}
	if here := runtime.GOOS + "/" + runtime.GOARCH; m.System != here {
		return nil, fmt.Errorf("its test binaries are for %s, and this host is %s", m.System, here)
	}
	return m, nil
}

// bounded is a writer that accepts so many bytes.
type bounded struct {
	io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errors.New("it is larger than the order says")
	}
	return b.Writer.Write(p)
}

// keepCases copies the failing cases that earlier bundles have found to a new one, where they are
// the first inputs that are run: so a case that was found just before the agent was killed is found
// again.
func (a *Agent) keepCases(m *bundle.Manifest, dir string) {
	olds, _ := filepath.Glob(filepath.Join(escape(a.config.Dir), "bundles", "*", manifestFile))
	for _, file := range olds {
		old, err := readManifest(filepath.Dir(file))
		if err != nil {
			continue
		}
		for _, p := range m.Packages {
			was := old.Package(p.Path)
			if was.Path == "" {
				continue
			}
			from := os.DirFS(filepath.Join(filepath.Dir(file), filepath.FromSlash(was.Dir)))
			to := filepath.Join(dir, filepath.FromSlash(p.Dir))
			cases, _ := fs.Glob(from, "testdata/allele/*/*.case")
			for _, name := range cases {
				if text, err := fs.ReadFile(from, name); err == nil {
					target := filepath.Join(to, filepath.FromSlash(name))
					if os.MkdirAll(filepath.Dir(target), 0o777) == nil {
						os.WriteFile(target, text, 0o666) // what cannot be copied stays in the old folder
					}
				}
			}
		}
	}
}
