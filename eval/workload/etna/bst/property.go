package bst

import (
	"slices"

	"github.com/allele-go/allele/eval/workload/task"
)

// Inputs of the properties. T and U are maps, K is a key to insert with value V or to
// delete, and Other and W are a second key and value.
type (
	One struct{ T *Tree }
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
	Two    struct{ T, U *Tree }
	TwoKey struct {
		T, U *Tree
		K    int
	}
	TwoKeyValue struct {
		T, U *Tree
		K    int
		V    bool
	}
	Three struct{ A, B, C *Tree }
)

// These properties check that the results are search trees.

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
	return task.Holds(f.Delete(in.T, in.K).Valid())
}

func unionValid(f Fault, in Two) task.Verdict {
	if !in.T.Valid() || !in.U.Valid() {
		return task.Discarded
	}
	return task.Holds(f.Union(in.T, in.U).Valid())
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
	v, ok := f.Delete(in.T, in.K).Find(in.Other)
	if in.K == in.Other {
		return task.Holds(!ok)
	}
	old, was := in.T.Find(in.Other)
	return task.Holds(ok == was && v == old)
}

// unionPost has no precondition for U, as published: the property holds for any tree U.
func unionPost(f Fault, in TwoKey) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	v, ok := f.Union(in.T, in.U).Find(in.K)
	want, is := in.T.Find(in.K)
	if !is {
		want, is = in.U.Find(in.K)
	}
	return task.Holds(ok == is && v == want)
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
	return task.Holds(slices.Equal(f.Delete(in.T, in.K).List(), deleted(in.T.List(), in.K)))
}

func unionModel(f Fault, in Two) task.Verdict {
	if !in.T.Valid() || !in.U.Valid() {
		return task.Discarded
	}
	return task.Holds(slices.Equal(f.Union(in.T, in.U).List(), united(in.T.List(), in.U.List())))
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
	got := f.Insert(f.Delete(in.T, in.Other), in.K, in.V)
	if in.K == in.Other {
		return task.Holds(same(got, f.Insert(in.T, in.K, in.V)))
	}
	return task.Holds(same(got, f.Delete(f.Insert(in.T, in.K, in.V), in.Other)))
}

func insertUnion(f Fault, in TwoKeyValue) task.Verdict {
	if !in.T.Valid() || !in.U.Valid() {
		return task.Discarded
	}
	return task.Holds(same(f.Insert(f.Union(in.T, in.U), in.K, in.V), f.Union(f.Insert(in.T, in.K, in.V), in.U)))
}

func deleteInsert(f Fault, in KeysValue) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	got := f.Delete(f.Insert(in.T, in.Other, in.V), in.K)
	if in.K == in.Other {
		return task.Holds(same(got, f.Delete(in.T, in.K)))
	}
	return task.Holds(same(got, f.Insert(f.Delete(in.T, in.K), in.Other, in.V)))
}

func deleteDelete(f Fault, in Keys) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	return task.Holds(same(f.Delete(f.Delete(in.T, in.Other), in.K), f.Delete(f.Delete(in.T, in.K), in.Other)))
}

func deleteUnion(f Fault, in TwoKey) task.Verdict {
	if !in.T.Valid() || !in.U.Valid() {
		return task.Discarded
	}
	return task.Holds(same(f.Delete(f.Union(in.T, in.U), in.K), f.Union(f.Delete(in.T, in.K), f.Delete(in.U, in.K))))
}

func unionDeleteInsert(f Fault, in TwoKeyValue) task.Verdict {
	if !in.T.Valid() || !in.U.Valid() {
		return task.Discarded
	}
	return task.Holds(same(f.Union(f.Delete(in.T, in.K), f.Insert(in.U, in.K, in.V)), f.Insert(f.Union(in.T, in.U), in.K, in.V)))
}

func unionUnionIdem(f Fault, in One) task.Verdict {
	if !in.T.Valid() {
		return task.Discarded
	}
	return task.Holds(same(f.Union(in.T, in.T), in.T))
}

func unionUnionAssoc(f Fault, in Three) task.Verdict {
	if !in.A.Valid() || !in.B.Valid() || !in.C.Valid() {
		return task.Discarded
	}
	return task.Holds(equal(f.Union(f.Union(in.A, in.B), in.C), f.Union(in.A, f.Union(in.B, in.C))))
}
