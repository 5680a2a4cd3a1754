package rbt

// Fault is what is wrong with the operations.
type Fault int

// The faults, by what goes wrong.
const (
	Correct          Fault = iota
	MiscolorInsert         // new nodes are black
	Insert1                // a tree that is not empty is replaced by one node
	Insert2                // there is no case for greater keys: the value here is overwritten
	Insert3                // an equal key keeps the old value
	NoBalanceInsert1       // no balance after inserting on the left
	NoBalanceInsert2       // nor on the right, where roots of subtrees are blackened too
	MiscolorDelete         // the root may be red afterwards
	Delete4                // the way back loses the nodes that were passed
	Delete5                // looks on the wrong side
	MiscolorBalLeft        // the outer grandchild is not made red
	MiscolorBalRight       // the same on the other side
	MiscolorJoin1          // two reds are joined with black children
	MiscolorJoin2          // two blacks are joined with red children
	SwapCD                 // a case of balance swaps two subtrees
	SwapBC                 // another one does
)

func (f Fault) String() string {
	return [...]string{"correct", "miscolor_insert", "insert_1", "insert_2", "insert_3", "no_balance_insert_1", "no_balance_insert_2",
		"miscolor_delete", "delete_4", "delete_5", "miscolor_balLeft", "miscolor_balRight", "miscolor_join_1", "miscolor_join_2",
		"swap_cd", "swap_bc"}[f]
}
