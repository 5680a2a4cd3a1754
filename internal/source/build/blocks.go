//go:build go1.25

package build

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// blocks stores the range of site numbers of each package. A package keeps its
// range as long as its sites fit, so that a change in one package recompiles only
// that package.
type blocks struct {
	Format int              `json:"format"`
	Next   uint32           `json:"next"` // larger than every number assigned so far
	Blocks map[string]block `json:"blocks"`
}

type block struct {
	Start uint32 `json:"start"`
	Size  uint32 `json:"size"`
}

const (
	blocksFormat = 1
	sitesMax     = 1 << 22 // the same as hook.Sites
	blockMin     = 64
)

func readBlocks(file string) (*blocks, error) {
	fresh := &blocks{Format: blocksFormat, Next: 1, Blocks: map[string]block{}}
	data, err := readWork(file, blocksMax)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLarge) {
		return fresh, nil
	} else if err != nil {
		return nil, err
	}
	b := &blocks{}
	// The file is a cache: if it cannot be read, numbering starts over.
	if json.Unmarshal(data, b) != nil || b.Format != blocksFormat || b.Blocks == nil || !b.valid() {
		return fresh, nil
	}
	return b, nil
}

// renumberAfter limits the site numbers that earlier builds have assigned. These
// include numbers that are no longer used, because a package grew or was removed. If a
// build begins above the limit, all packages are renumbered. The limit is far below
// sitesMax. So even if Next was damaged and is too large, most numbers are left for
// this build.
const renumberAfter = sitesMax / 4

// valid reports whether the blocks can be used: they do not overlap, and end before
// Next. The file may be damaged, so any value is possible.
func (b *blocks) valid() bool {
	if b.Next == 0 || b.Next > renumberAfter {
		return false
	}
	all := slices.SortedFunc(maps.Values(b.Blocks), func(x, y block) int { return cmp.Compare(x.Start, y.Start) })
	free := uint64(1) // uint64, because the sum of two uint32 may overflow
	for _, x := range all {
		if uint64(x.Start) < free {
			return false
		}
		free = uint64(x.Start) + uint64(x.Size)
	}
	return free <= uint64(b.Next)
}

func (b *blocks) write(file string) error {
	if b.Next >= sitesMax {
		return fmt.Errorf("there are more than %d places to instrument; instrument fewer packages (-scope)", sitesMax)
	}
	data, err := json.MarshalIndent(b, "", "\t")
	if err != nil {
		return err
	}
	return writeChanged(file, data)
}

// start returns the number for the first site of a package. If the sites do not fit,
// reserve returns another one.
func (b *blocks) start(pkg string) uint32 {
	if x, ok := b.Blocks[pkg]; ok {
		return x.Start
	}
	return b.Next
}

// reserve returns the first of at least n numbers for a package. If the package's block
// is too small, it gets a new block, with some spare numbers for later edits.
func (b *blocks) reserve(pkg string, n int) (start uint32) {
	if x, ok := b.Blocks[pkg]; ok && n <= int(x.Size) {
		return x.Start
	}
	x := block{b.Next, uint32(max(blockMin, n+n/4))}
	b.Blocks[pkg] = x
	b.Next += x.Size
	return x.Start
}
