//go:build go1.25

package tidy

import "testing"

func TestNilErrors(t *testing.T) {
	const problem = ": the error that this message quotes may be nil; handle the two cases apart"
	table(t, nilErrors, []row{
		{"an if with two conditions", `-- a.go --
package a

func f() error {
	if n, err := g(); err != nil || n > 1 {
		return fmt.Errorf("g: %w", err)
	}
	return nil
}
`, "a.go:5:10" + problem},
		{"a case with two conditions", `-- a.go --
package a

func f() error {
	switch n, err := g(); {
	case err != nil, n > 1:
		log.Printf("g: %v", err)
	}
	return nil
}
`, "a.go:6:3" + problem},
		{"both must hold, or only one is asked, or it is asked again", `-- a.go --
package a

func f() error {
	n, err := g()
	if err != nil && n > 1 {
		return fmt.Errorf("g: %w", err)
	}
	if err != nil {
		return fmt.Errorf("g: %w", err)
	}
	if n > 1 || err != nil {
		if err != nil {
			return fmt.Errorf("g: %w", err)
		}
		return fmt.Errorf("g: %d", n)
	}
	return nil
}
`, ""},
		{"tests", `-- a_test.go --
package a

func TestG(t *testing.T) {
	if n, err := g(); err != nil || n > 1 {
		t.Errorf("%d, %v", n, err)
	}
}
-- b.go --
package a

func Conform(t *testing.T) {
	if n, err := g(); err != nil || n > 1 {
		t.Errorf("%d, %v", n, err)
	}
}
`, ""},
	})
}
