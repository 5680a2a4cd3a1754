module github.com/allele-go/allele

go 1.18

godebug default=go1.25
