package programs

import (
	"encoding/binary"
	"hash/maphash"
	"time"

	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/program"
)

// covered is what a corpus has reached.
type covered struct{ paths, edges, bytes float64 }

// cover runs files, and collects what they reach. Two runs take the same path if they take the same edges, about
// equally often, as in AFL. Only one can run at a time, because this process records one run.
type cover struct {
	p     *program.Program
	paths map[uint64]bool
	edges map[uint32]bool
	bytes int

	reached []uint32 // by the last run
}

var pathSeed = maphash.MakeSeed()

func newCover(file string, args ...string) *cover {
	return &cover{p: &program.Program{Args: append([]string{file}, args...), Timeout: time.Second, Memory: 1 << 30},
		paths: map[uint64]bool{}, edges: map[uint32]bool{}}
}

func (c *cover) run(data []byte) error {
	outside.Begin()
	_, err := c.p.Run(data)
	c.reached = outside.End(c.reached[:0])
	if err != nil {
		return err
	}
	var h maphash.Hash
	h.SetSeed(pathSeed)
	for _, e := range c.reached {
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], e)
		h.Write(word[:])
		c.edges[outside.Place(e)] = true
	}
	c.paths[h.Sum64()] = true
	c.bytes += len(data)
	return nil
}

func (c *cover) covered() covered {
	return covered{float64(len(c.paths)), float64(len(c.edges)), float64(c.bytes)}
}
