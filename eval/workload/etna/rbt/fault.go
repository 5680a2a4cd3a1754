package rbt

// Fault is a fault of the operations.
type Fault int

// The faults.
const (
	Correct          Fault = iota
	MiscolorInsert         // new nodes are black
	Insert1                // a tree that is not empty is replaced by one node
	Insert2                // there is no case for greater keys: the value of this node is overwritten
	Insert3                // an equal key keeps the old value
	NoBalanceInsert1       // no balancing after inserting on the left
	NoBalanceInsert2       // no balancing after inserting on the right; roots of subtrees become black too
	MiscolorDelete         // the root may be red afterwards
	Delete4                // the nodes on the path to the key are lost
	Delete5                // searches on the wrong side
	MiscolorBalLeft        // the outer grandchild is not made red
	MiscolorBalRight       // the same on the other side
	MiscolorJoin1          // two reds are joined with black children
	MiscolorJoin2          // two blacks are joined with red children
	SwapCD                 // a case of balance swaps two subtrees
	SwapBC                 // another case of balance swaps two subtrees
)

func (f Fault) String() string {
	return [...]string{"correct", "miscolor_insert", "insert_1", "insert_2", "insert_3", "no_balance_insert_1", "no_balance_insert_2",
		"miscolor_delete", "delete_4", "delete_5", "miscolor_balLeft", "miscolor_balRight", "miscolor_join_1", "miscolor_join_2",
		"swap_cd", "swap_bc"}[f]
}
