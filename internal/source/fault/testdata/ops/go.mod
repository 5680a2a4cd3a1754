module ops

go 1.22
