// Package subject imports the packages whose facts are examined. The go command then
// lists these packages as dependencies.
package subject

import (
	_ "go/ast"

	_ "github.com/expr-lang/expr"
	_ "github.com/tetratelabs/wazero"
	_ "k8s.io/api/core/v1"
)
