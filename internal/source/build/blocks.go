package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// blocks gives each package a range of site numbers that it keeps as long as
// its sites fit, so that a change in one package recompiles that one alone.
type blocks struct {
	Format int              `json:"format"`
	Next   uint32           `json:"next"`
	Blocks map[string]block `json:"blocks"`
}

type block struct {
	Start uint32 `json:"start"`
	Size  uint32 `json:"size"`
}

const (
	blocksFormat = 1
	sitesMax     = 1 << 22 // hook.Sites
	blockMin     = 64
)

func readBlocks(file string) (*blocks, error) {
	fresh := &blocks{Format: blocksFormat, Next: 1, Blocks: map[string]block{}}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	} else if err != nil {
		return nil, err
	}
	b := &blocks{}
	// It is a cache: what cannot be read is made anew.
	if json.Unmarshal(data, b) != nil || b.Format != blocksFormat || b.Blocks == nil || !b.valid() {
		return fresh, nil
	}
	return b, nil
}

// valid reports whether blocks lie apart, whatever the file says.
func (b *blocks) valid() bool {
	if b.Next == 0 || b.Next > sitesMax {
		return false
	}
	used := map[uint32]bool{}
	for _, x := range b.Blocks {
		if x.Start == 0 || x.Start+x.Size > b.Next || used[x.Start] {
			return false
		}
		used[x.Start] = true
	}
	return true
}

func (b *blocks) write(file string) error {
	if b.Next >= sitesMax {
		return fmt.Errorf("more than %d places to instrument; rewrite fewer packages (-scope)", sitesMax)
	}
	data, err := json.MarshalIndent(b, "", "\t")
	if err != nil {
		return err
	}
	return writeChanged(file, data)
}

// start is the first number of a package; reserve may still move it.
func (b *blocks) start(pkg string) uint32 {
	if x, ok := b.Blocks[pkg]; ok {
		return x.Start
	}
	return b.Next
}

// reserve makes room for n sites, with some to spare for the next edit.
func (b *blocks) reserve(pkg string, n int) (start uint32) {
	if x, ok := b.Blocks[pkg]; ok && n <= int(x.Size) {
		return x.Start
	}
	x := block{b.Next, uint32(max(blockMin, n+n/4))}
	b.Blocks[pkg] = x
	b.Next += x.Size
	return x.Start
}
