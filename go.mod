module github.com/allele-go/allele

go 1.25
