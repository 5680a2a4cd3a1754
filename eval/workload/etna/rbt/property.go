package rbt

import (
	"slices"

	"github.com/allele-go/allele/eval/workload/task"
)

// Inputs of the properties. K is a key to insert with value V or to delete, and Other
// and W are a second key and value.
type (
	Key struct {
		T *Tree
		K int
	}
	KeyValue struct {
		T *Tree
		K int
		V bool
	}
	Keys struct {
		T        *Tree
		K, Other int
	}
	KeysValue struct {
		T        *Tree
		K, Other int
		V        bool
	}
	KeysValues struct {
		T        *Tree
		K, Other int
		V, W     bool
	}
)

// These properties check that the results are red-black trees. Here and below, a
// property fails if Delete reports false.

func insertValid(f Fault, in KeyValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	return task.Holds(f.Insert(in.T, in.K, in.V).Valid())
}

func deleteValid(f Fault, in Key) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	t, ok := f.Delete(in.T, in.K)
	return task.Holds(ok && t.Valid())
}

// These properties check the result of Find after an operation, for any key.

func insertPost(f Fault, in KeysValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	v, ok := f.Insert(in.T, in.K, in.V).Find(in.Other)
	if in.K == in.Other {
		return task.Holds(ok && v == in.V)
	}
	old, was := in.T.Find(in.Other)
	return task.Holds(ok == was && v == old)
}

func deletePost(f Fault, in Keys) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	t, ok := f.Delete(in.T, in.K)
	if !ok {
		return task.Failed
	}
	v, is := t.Find(in.Other)
	if in.K == in.Other {
		return task.Holds(!is)
	}
	old, was := in.T.Find(in.Other)
	return task.Holds(is == was && v == old)
}

// These properties compare the operations with the same operations on sorted lists.

func insertModel(f Fault, in KeyValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	return task.Holds(slices.Equal(f.Insert(in.T, in.K, in.V).List(), inserted(in.T.List(), in.K, in.V)))
}

func deleteModel(f Fault, in Key) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	t, ok := f.Delete(in.T, in.K)
	return task.Holds(ok && slices.Equal(t.List(), deleted(in.T.List(), in.K)))
}

// These properties check that two operations commute.

func insertInsert(f Fault, in KeysValues) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	got := f.Insert(f.Insert(in.T, in.Other, in.W), in.K, in.V)
	if in.K == in.Other {
		return task.Holds(same(got, f.Insert(in.T, in.K, in.V)))
	}
	return task.Holds(same(got, f.Insert(f.Insert(in.T, in.K, in.V), in.Other, in.W)))
}

func insertDelete(f Fault, in KeysValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	t, ok := f.Delete(in.T, in.Other)
	if !ok {
		return task.Failed
	}
	got := f.Insert(t, in.K, in.V)
	if in.K == in.Other {
		return task.Holds(same(got, f.Insert(in.T, in.K, in.V)))
	}
	want, ok := f.Delete(f.Insert(in.T, in.K, in.V), in.Other)
	return task.Holds(ok && same(got, want))
}

func deleteInsert(f Fault, in KeysValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	got, ok := f.Delete(f.Insert(in.T, in.Other, in.V), in.K)
	if !ok {
		return task.Failed
	}
	want, ok := f.Delete(in.T, in.K)
	if in.K != in.Other {
		want = f.Insert(want, in.Other, in.V)
	}
	return task.Holds(ok && same(got, want))
}

func deleteDelete(f Fault, in Keys) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	got, ok := f.deleteTwo(in.T, in.Other, in.K)
	if !ok {
		return task.Failed
	}
	want, ok := f.deleteTwo(in.T, in.K, in.Other)
	return task.Holds(ok && same(got, want))
}

func (f Fault) deleteTwo(t *Tree, first, second int) (*Tree, bool) {
	t, ok := f.Delete(t, first)
	if !ok {
		return nil, false
	}
	return f.Delete(t, second)
}
