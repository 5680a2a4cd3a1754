package rbt

import "github.com/allele-go/allele/eval/workload/task"

// Reach is the largest absolute value of a key. A user would declare such a range,
// because two keys chosen from all integers are hardly ever equal.
const Reach = 10

// Declare returns the declarations that a user would make about the inputs.
func Declare() []task.Declaration { return []task.Declaration{task.Range(-Reach, Reach)} }

// Properties returns all properties.
func Properties() []task.Property[Fault] {
	return []task.Property[Fault]{
		property("InsertValid", insertValid), property("DeleteValid", deleteValid),
		property("InsertPost", insertPost), property("DeletePost", deletePost),
		property("InsertModel", insertModel), property("DeleteModel", deleteModel),
		property("InsertInsert", insertInsert), property("InsertDelete", insertDelete),
		property("DeleteInsert", deleteInsert), property("DeleteDelete", deleteDelete),
	}
}

func property[In any](name string, judge func(Fault, In) task.Verdict) task.Property[Fault] {
	return task.PropertyOf("rbt", name, judge, Declare()...)
}

const all = "InsertValid DeleteValid InsertPost DeletePost InsertModel DeleteModel InsertInsert InsertDelete DeleteInsert DeleteDelete"

// Tasks returns the 58 published tasks.
func Tasks() []task.Task {
	return task.Table(Properties(), []task.Row[Fault]{
		{Fault: MiscolorInsert, Shown: "InsertValid DeleteInsert"},
		{Fault: Insert1, Shown: "InsertPost InsertModel DeleteInsert InsertInsert"},
		{Fault: Insert2, Shown: "InsertPost InsertModel DeleteInsert InsertInsert InsertDelete"},
		{Fault: Insert3, Shown: "InsertPost InsertModel InsertDelete InsertInsert"},
		{Fault: NoBalanceInsert1, Shown: "InsertValid DeleteInsert InsertDelete"},
		{Fault: NoBalanceInsert2, Shown: "InsertValid DeleteInsert InsertDelete"},
		{Fault: MiscolorDelete, Shown: "DeleteValid"},
		{Fault: Delete4, Shown: "DeleteModel DeletePost DeleteDelete DeleteInsert InsertDelete"},
		{Fault: Delete5, Shown: "DeleteModel DeletePost DeleteDelete DeleteInsert"},
		{Fault: MiscolorBalLeft, Shown: "DeleteValid DeleteDelete"},
		{Fault: MiscolorBalRight, Shown: "DeleteValid DeleteDelete"},
		{Fault: MiscolorJoin1, Shown: "DeleteValid"},
		{Fault: MiscolorJoin2, Shown: "DeleteValid DeleteDelete"},
		{Fault: SwapCD, Shown: all},
		{Fault: SwapBC, Shown: all},
	})
}
