module example.com/shapes

go 1.25

require github.com/stretchr/testify v1.11.1
