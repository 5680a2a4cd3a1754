package rbt

// Fault is a fault of the operations.
type Fault int

// The faults.
const (
	Correct          Fault = iota
	MiscolorInsert         // new nodes are black
	Insert1                // a tree that is not empty is replaced by one node
	Insert2                // inserting a greater key overwrites the value of the node: the case k > t.K is missing
	Insert3                // inserting an existing key does not change its value
	NoBalanceInsert1       // no balancing after inserting on the left
	NoBalanceInsert2       // no balancing after inserting on the right; the root of the right subtree becomes black
	MiscolorDelete         // after a deletion the root may be red
	Delete4                // the nodes on the path to the key are lost
	Delete5                // searches for the key on the wrong side
	MiscolorBalLeft        // balanceLeft does not color the outer grandchild red
	MiscolorBalRight       // the same as MiscolorBalLeft on the other side
	MiscolorJoin1          // when two red nodes are joined, both may become black
	MiscolorJoin2          // when two black nodes are joined, both may become red
	SwapCD                 // a case of balance swaps two subtrees
	SwapBC                 // another case of balance swaps two subtrees
)

func (f Fault) String() string {
	return [...]string{"correct", "miscolor_insert", "insert_1", "insert_2", "insert_3", "no_balance_insert_1", "no_balance_insert_2",
		"miscolor_delete", "delete_4", "delete_5", "miscolor_balLeft", "miscolor_balRight", "miscolor_join_1", "miscolor_join_2",
		"swap_cd", "swap_bc"}[f]
}
