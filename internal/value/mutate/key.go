//go:build go1.25

package mutate

import "slices"

// keys computes the keys of mutants: see Mutant.Key.
type keys struct {
	parent *parent
	ways   []uint64  // by position: the result of the method way, 0 if not computed yet
	pos    int       // the position of the keys in done
	done   [2]uint64 // mirrored and plain; 0 if not computed yet
}

// reset forgets the keys of the parent before.
func (k *keys) reset() { k.ways, k.done = k.ways[:0], [2]uint64{} }

// of returns the key of mutants at pos.
func (k *keys) of(pos int, mirrored bool) uint64 {
	side := 1
	if mirrored {
		side = 0
	}
	if k.pos != pos {
		k.pos, k.done = pos, [2]uint64{}
	}
	if k.done[side] == 0 {
		k.ready()
		k.done[side] = mix(k.around(k.way(pos), pos), uint64(side)) | 1
	}
	return k.done[side]
}

// ready makes room for the hashes of the parent.
func (k *keys) ready() {
	if n := len(k.parent.t); len(k.ways) == 0 {
		k.ways = slices.Grow(k.ways, n)[:n]
		clear(k.ways)
	}
}

// way returns a hash of the types and fields on the path from the root to pos. If a
// node above pos has the same schema, the result is the hash of that node, so that
// all nodes of a tree have the same hash.
func (k *keys) way(pos int) uint64 {
	if k.ways[pos] != 0 {
		return k.ways[pos]
	}
	p := k.parent
	up := int(p.up[pos])
	if up < 0 {
		return 1
	}
	s := p.t[pos].S
	if p.cyclic[s] {
		for a := up; a >= 0; a = int(p.up[a]) {
			if p.t[a].S == s {
				k.ways[pos] = k.way(a)
				return k.ways[pos]
			}
		}
	}
	k.ways[pos] = mix(k.way(up), p.field(pos)<<16|uint64(s)) | 1
	return k.ways[pos]
}

// around adds to the hash the constructor of the node that pos is a field of, and
// the values of the enum fields beside pos.
func (k *keys) around(hash uint64, pos int) uint64 {
	p := k.parent
	up := int(p.up[pos])
	if up < 0 || p.world.Of(p.t[up]).IsList() {
		return hash
	}
	hash = mix(hash, uint64(p.t[up].C))
	for i, end := up+1, up+int(p.t[up].N); i < end; i += int(p.t[i].N) {
		if i != pos && isEnum(p.world.Of(p.t[i])) {
			hash = mix(hash, uint64(p.t[i].C)<<32^p.t[i].X)
		}
	}
	return hash
}

// mix adds x to a hash. The constants are those of SplitMix64.
func mix(hash, x uint64) uint64 {
	hash = (hash ^ x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return hash ^ hash>>31
}
