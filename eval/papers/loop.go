package papers

import (
	"github.com/allele-go/allele/eval/lens"
	"github.com/allele-go/allele/eval/pathlog"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
)

// Loop is a search loop: a strategy of the engine and, if settings are not enough, code.
type Loop struct {
	Strategy *engine.Strategy

	notion func(*lens.Lens) *engine.Novelty // nil if the strategy says what is new
	lens   lens.Lens                        // what notion sees of a path
	energy bool                             // the schedule has the way energy
}

// Config makes a search use the loop, and never exceed its number of runs. Other fields of c may be set later.
func (l *Loop) Config(c *engine.Config) {
	c.Strategy, c.Experiment.Exact = l.Strategy, true
	if l.notion != nil {
		c.Experiment.Novelty = l.notion(&l.lens)
	}
	if l.energy {
		c.Experiment.Ways = map[string]func(engine.Corpus) engine.Way{
			"energy": func(kept engine.Corpus) engine.Way { return newPowered(c, kept) },
		}
	}
}

// logBytes is the maximum memory of a log of paths, as in the engine.
const logBytes = 32 << 20

// paths is the notion of the MUTAGEN paper: a path never taken is new. Terms whose paths leave the known ones early
// come first.
func paths(l *lens.Lens) *engine.Novelty {
	return &engine.Novelty{Why: "a new path", New: func() engine.Look {
		log := &pathlog.Log{BytesMax: logBytes}
		return func(path []uint32, _ *novelty.Features) (bool, int, novelty.News) {
			added, depth := log.Add(l.View(path))
			return added > 0, depth, novelty.News{}
		}
	}}
}

// oldest is paths, but the oldest term comes first.
func oldest(l *lens.Lens) *engine.Novelty {
	n, last := paths(l), 0
	empty := n.New
	n.New = func() engine.Look {
		look := empty()
		return func(path []uint32, known *novelty.Features) (bool, int, novelty.News) {
			is, _, news := look(path, known)
			last++
			return is, last, news
		}
	}
	return n
}

// bitmap is MUTAGEN's notion since 2022: an edge never taken is new.
func bitmap(l *lens.Lens) *engine.Novelty {
	return &engine.Novelty{Why: "a new combination of edges", New: func() engine.Look {
		return func(path []uint32, known *novelty.Features) (bool, int, novelty.News) {
			path = l.View(path)
			n := known.Add(path)
			return n.Edges > 0, len(path) - n.Edges, n
		}
	}}
}
