package pathlog

import "math/bits"

// table is a hash table of numbers with open addressing. It is not a map, because its memory after
// the next growth must be known in advance. No key is 0. The zero value is empty.
type table struct {
	keys   []uint64 // 0 marks an empty slot
	values []uint32
	used   int
}

// get returns the value of a key and whether the key is present.
func (t *table) get(k uint64) (v uint32, ok bool) {
	if t.used == 0 {
		return v, false
	}
	i := slot(t.keys, k)
	return t.values[i], t.keys[i] == k
}

// at returns a pointer to the value of a key. The pointer is valid until the next call. A
// new key is added with the zero value.
func (t *table) at(k uint64) *uint32 {
	if t.used > 0 {
		if i := slot(t.keys, k); t.keys[i] == k {
			return &t.values[i]
		}
	}
	if n := slotsFor(len(t.keys), t.used+1); n != len(t.keys) {
		t.grow(n)
	}
	i := slot(t.keys, k)
	t.keys[i] = k
	t.used++
	return &t.values[i]
}

func (t *table) grow(n int) {
	keys, values := t.keys, t.values
	t.keys, t.values = make([]uint64, n), make([]uint32, n)
	for i, k := range keys {
		if k != 0 {
			j := slot(t.keys, k)
			t.keys[j], t.values[j] = k, values[i]
		}
	}
}

func (t *table) bytes() int { return slotBytes * len(t.keys) }

// bytesFor returns how much memory the table will use after the given number of keys is
// added.
func (t *table) bytesFor(more int) int { return slotBytes * slotsFor(len(t.keys), t.used+more) }

const (
	slotBytes = 8 + 4
	slotsMin  = 64
)

// slot returns the index of a key, or of the empty slot where the key belongs.
func slot(keys []uint64, k uint64) int {
	mask := uint64(len(keys) - 1)
	hi, lo := bits.Mul64(k, 0x9e3779b97f4a7c15)
	i := (hi ^ lo) & mask
	for keys[i] != 0 && keys[i] != k {
		i = (i + 1) & mask
	}
	return int(i)
}

// slotsFor returns how many slots a table needs in order to hold the given number of keys,
// used. slots is its present number of slots.
func slotsFor(slots, used int) int {
	for 4*used > 3*slots {
		slots = max(slotsMin, 2*slots)
	}
	return slots
}
