// Package subject is built from the packages whose facts are looked at. The go command
// lists what something needs, and this needs them.
package subject

import (
	_ "go/ast"

	_ "github.com/expr-lang/expr"
	_ "github.com/tetratelabs/wazero"
	_ "k8s.io/api/core/v1"
)
