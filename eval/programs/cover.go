package programs

import (
	"encoding/binary"
	"hash/maphash"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/program"
)

// covered is what a corpus has reached.
type covered struct{ paths, edges, bytes float64 }

// cover runs files, and collects what they reach. Two runs take the same path if they take the same edges, about
// equally often, as in AFL. There can be one at a time: the edges of a run are in a variable.
type cover struct {
	p     *program.Program
	paths map[uint64]bool
	edges map[uint32]bool
	bytes int
}

var pathSeed = maphash.MakeSeed()

func newCover(file string, args ...string) *cover {
	return &cover{&program.Program{Args: append([]string{file}, args...), Timeout: time.Second, Memory: 1 << 30},
		map[uint64]bool{}, map[uint32]bool{}, 0}
}

func (c *cover) run(data []byte) error {
	if _, err := c.p.Run(data); err != nil {
		return err
	}
	var h maphash.Hash
	h.SetSeed(pathSeed)
	for _, e := range hook.Outside {
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], e)
		h.Write(word[:])
		c.edges[e&(1<<hook.OutsideShift-1)] = true
	}
	c.paths[h.Sum64()] = true
	c.bytes += len(data)
	return nil
}

func (c *cover) covered() covered {
	return covered{float64(len(c.paths)), float64(len(c.edges)), float64(c.bytes)}
}
