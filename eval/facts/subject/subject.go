// Package subject imports the packages whose facts are examined, so that the go
// command lists them as its dependencies.
package subject

import (
	_ "go/ast"

	_ "github.com/expr-lang/expr"
	_ "github.com/tetratelabs/wazero"
	_ "k8s.io/api/core/v1"
)
