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
	Next   uint32           `json:"next"`
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

// renumberAfter is the largest number that may have been assigned when a build
// begins. It counts numbers in use and numbers lost to packages that grew or were
// removed. Above it all packages are renumbered: few programs have so many sites,
// and a damaged number must not leave too few.
const renumberAfter = sitesMax / 4

// valid reports whether the blocks do not overlap. The file may contain anything.
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
		return fmt.Errorf("more than %d places to instrument; instrument fewer packages (-scope)", sitesMax)
	}
	data, err := json.MarshalIndent(b, "", "\t")
	if err != nil {
		return err
	}
	return writeChanged(file, data)
}

// start returns the first number of a package. reserve may still move it.
func (b *blocks) start(pkg string) uint32 {
	if x, ok := b.Blocks[pkg]; ok {
		return x.Start
	}
	return b.Next
}

// reserve makes room for n sites, plus some spare numbers for the next edit.
func (b *blocks) reserve(pkg string, n int) (start uint32) {
	if x, ok := b.Blocks[pkg]; ok && n <= int(x.Size) {
		return x.Start
	}
	x := block{b.Next, uint32(max(blockMin, n+n/4))}
	b.Blocks[pkg] = x
	b.Next += x.Size
	return x.Start
}
