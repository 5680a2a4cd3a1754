package bst

import "github.com/allele-go/allele/eval/workload/task"

// Reach is the largest absolute value of a key. A user would declare such a range,
// because two keys chosen from all integers are hardly ever equal.
const Reach = 10

// Declare returns the declarations that a user would make about the inputs.
func Declare() []task.Declaration { return []task.Declaration{task.Range(-Reach, Reach)} }

// Properties returns all properties.
func Properties() []task.Property[Fault] {
	return []task.Property[Fault]{
		property("InsertValid", insertValid), property("DeleteValid", deleteValid), property("UnionValid", unionValid),
		property("InsertPost", insertPost), property("DeletePost", deletePost), property("UnionPost", unionPost),
		property("InsertModel", insertModel), property("DeleteModel", deleteModel), property("UnionModel", unionModel),
		property("InsertInsert", insertInsert), property("InsertDelete", insertDelete), property("InsertUnion", insertUnion),
		property("DeleteInsert", deleteInsert), property("DeleteDelete", deleteDelete), property("DeleteUnion", deleteUnion),
		property("UnionDeleteInsert", unionDeleteInsert),
		property("UnionUnionIdem", unionUnionIdem), property("UnionUnionAssoc", unionUnionAssoc),
	}
}

func property[In any](name string, judge func(Fault, In) task.Verdict) task.Property[Fault] {
	return task.PropertyOf("bst", name, judge, Declare()...)
}

// Tasks returns the 53 published tasks.
func Tasks() []task.Task {
	return task.Table(Properties(), []task.Row[Fault]{
		{Fault: Insert1, Shown: "InsertPost InsertModel DeleteInsert InsertInsert InsertUnion UnionDeleteInsert"},
		{Fault: Insert2, Shown: "InsertPost InsertModel DeleteInsert InsertInsert InsertUnion UnionDeleteInsert InsertDelete"},
		{Fault: Insert3, Shown: "InsertPost InsertModel InsertDelete InsertInsert InsertUnion UnionDeleteInsert"},
		{Fault: Delete4, Shown: "DeleteModel DeletePost DeleteDelete DeleteInsert DeleteUnion InsertDelete UnionDeleteInsert"},
		{Fault: Delete5, Shown: "DeleteModel DeletePost DeleteDelete DeleteInsert DeleteUnion UnionDeleteInsert"},
		{Fault: Union6, Shown: "UnionValid UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc UnionUnionIdem"},
		{Fault: Union7, Shown: "UnionValid UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc"},
		{Fault: Union8, Shown: "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc"},
	})
}
