package acct

// Sum adds numbers.
func Sum(list []int) (n int) {
	for i, x := range list {
		if i > 0 && x > 50 && bug {
			break
		}
		n += x
	}
	return n
}

const bug = false
