module github.com/allele-go/allele/formats

go 1.25.0

require (
	github.com/allele-go/allele v0.0.0
	golang.org/x/image v0.25.0
	gopkg.in/yaml.v3 v3.0.1
)

replace github.com/allele-go/allele => ../
