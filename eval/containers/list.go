package containers

import "github.com/allele-go/allele/eval/foreign"

// container is a type of a published module, with a property that holds for all values that its
// package makes.
type container struct {
	foreign.Module
	folder string // of the package, relative to the module
	pkg    string // name of the package
	typ    string // type of the input
	body   string // the property; in is not nil
	old    bool   // the go line of the module is below 1.18
	quick  bool
}

var (
	gods    = foreign.At("github.com/emirpasic/gods/v2", "v2.0.0-alpha")
	generic = foreign.At("github.com/zyedidia/generic", "v1.2.1")
	btree   = foreign.At("github.com/tidwall/btree", "v1.7.0")
	intmap  = foreign.At("github.com/kamstrup/intmap", "v0.5.1")
)

// sized is the property of most containers: Values has as many elements as Size says.
const sized = `if len(in.Values()) != in.Size() {
	t.Errorf("%d values, but the size is %d", len(in.Values()), in.Size())
}`

var all = []container{
	{Module: foreign.At("github.com/gammazero/deque", "v1.0.0"), pkg: "deque", typ: "*Deque[int]", quick: true, body: `n := in.Len()
if in.PushBack(1); in.Len() != n+1 || in.PopBack() != 1 {
	t.Error("push and pop")
}`},
	{Module: gods, folder: "lists/arraylist", pkg: "arraylist", typ: "*List[int]", quick: true, body: sized},
	{Module: gods, folder: "lists/singlylinkedlist", pkg: "singlylinkedlist", typ: "*List[string]", body: sized},
	{Module: gods, folder: "lists/doublylinkedlist", pkg: "doublylinkedlist", typ: "*List[int]", body: sized},
	{Module: gods, folder: "queues/circularbuffer", pkg: "circularbuffer", typ: "*Queue[int]", body: sized},
	{Module: gods, folder: "queues/arrayqueue", pkg: "arrayqueue", typ: "*Queue[int]", body: sized},
	{Module: gods, folder: "queues/linkedlistqueue", pkg: "linkedlistqueue", typ: "*Queue[int]", body: sized},
	{Module: gods, folder: "stacks/arraystack", pkg: "arraystack", typ: "*Stack[bool]", body: sized},
	{Module: gods, folder: "stacks/linkedliststack", pkg: "linkedliststack", typ: "*Stack[int]", body: sized},
	{Module: gods, folder: "sets/linkedhashset", pkg: "linkedhashset", typ: "*Set[int]", body: sized},
	{Module: gods, folder: "maps/linkedhashmap", pkg: "linkedhashmap", typ: "*Map[int, string]", body: sized},
	{Module: gods, folder: "maps/hashbidimap", pkg: "hashbidimap", typ: "*Map[int, string]", body: sized},
	{Module: generic, folder: "queue", pkg: "queue", typ: "*Queue[int]", body: `in.Enqueue(1)
if in.Empty() {
	t.Error("empty")
}`},
	{Module: generic, folder: "trie", pkg: "trie", typ: "*Trie[int]", body: `if n := len(in.Keys()); n != in.Size() {
	t.Errorf("%d keys, but the size is %d", n, in.Size())
}`},
	{Module: foreign.At("github.com/elliotchance/orderedmap/v2", "v2.7.0"), pkg: "orderedmap", typ: "*OrderedMap[int, bool]",
		body: `if n := len(in.Keys()); n != in.Len() {
	t.Errorf("%d keys, but the length is %d", n, in.Len())
}`},
	{Module: btree, pkg: "btree", typ: "*Map[int, int]", body: `n := 0
in.Scan(func(int, int) bool { n++; return true })
if n != in.Len() {
	t.Errorf("%d keys, but the length is %d", n, in.Len())
}`},
	{Module: btree, pkg: "btree", typ: "Set[int]", body: `n := 0
in.Scan(func(int) bool { n++; return true })
if n != in.Len() {
	t.Errorf("%d keys, but the length is %d", n, in.Len())
}`},
	{Module: intmap, pkg: "intmap", typ: "*Map[int, int]", body: `n := 0
in.ForEach(func(int, int) bool { n++; return true })
if n != in.Len() {
	t.Errorf("%d keys, but the length is %d", n, in.Len())
}`},
	{Module: foreign.At("github.com/bits-and-blooms/bitset", "v1.22.0"), pkg: "bitset", typ: "*BitSet", old: true,
		body: `if in.Count() > in.Len() {
	t.Errorf("%d bits of %d are set", in.Count(), in.Len())
}`},
	{Module: foreign.At("github.com/seiflotfy/cuckoofilter", "v0.0.0-20240715131351-a2f2c23f1771"), pkg: "cuckoo", typ: "*Filter",
		old: true, body: `if _, err := Decode(in.Encode()); err != nil {
	t.Error(err)
}`},
}
