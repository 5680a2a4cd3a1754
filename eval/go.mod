module github.com/allele-go/allele/eval

go 1.25

require github.com/allele-go/allele v0.0.0

replace github.com/allele-go/allele => ../
