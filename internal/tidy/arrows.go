//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// Inside a package, a file that uses a name of another has an arrow to it. A package is easy to read if
// its files can be put in an order in which every arrow runs down: the reader starts at the top and never
// has to go back. arrowsUp returns the arrows that run up in a good order, by folder, as
// "from.go -> to.go".
func arrowsUp(tree *Tree) map[string][]string {
	c := checker{tree: tree, packages: map[string]*types.Package{}, arrows: map[string]graph{}}
	for _, f := range tree.Files {
		if !f.Nested && !f.Test {
			c.check(f.Dir)
		}
	}
	up := map[string][]string{}
	for dir, g := range c.arrows {
		order := g.order()
		for i, from := range order {
			for _, to := range order[:i] {
				if g[from][to] {
					up[dir] = append(up[dir], from+" -> "+to)
				}
			}
		}
		slices.Sort(up[dir])
	}
	return up
}

// arrows compares the arrows that run up with a list of them. The number of a folder may not grow.
func arrows(tree *Tree, listed map[string][]string) (problems []string) {
	up := arrowsUp(tree)
	for _, dir := range slices.Sorted(maps.Keys(up)) {
		now, before := up[dir], listed[dir]
		if len(now) <= len(before) {
			continue
		}
		problems = append(problems, fmt.Sprintf("%s: %d arrows between files run up, at most %d; new:", dir, len(now), len(before)))
		for _, a := range now {
			if !slices.Contains(before, a) {
				problems = append(problems, "    "+a)
			}
		}
	}
	return problems
}

// readArrows reads a list: a line for each folder, and an indented line for each of its arrows.
func readArrows(text string) map[string][]string {
	all, dir := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if arrow, ok := strings.CutPrefix(line, "\t"); ok {
			all[dir] = append(all[dir], arrow)
		} else {
			dir, _, _ = strings.Cut(line, ":")
		}
	}
	return all
}

// lowerArrows returns the list as it should be: that of today, except for folders in which more arrows run up than are listed.
func lowerArrows(tree *Tree, listed map[string][]string) string {
	var b strings.Builder
	up := arrowsUp(tree)
	for _, dir := range slices.Sorted(maps.Keys(listed)) {
		now := up[dir]
		if len(now) > len(listed[dir]) {
			now = listed[dir]
		}
		if len(now) > 0 {
			fmt.Fprintf(&b, "%s: %d\n\t%s\n", dir, len(now), strings.Join(now, "\n\t"))
		}
	}
	return b.String()
}

// checker finds out which file declares what another uses. It checks the types of our packages. Packages
// of the standard library are empty for it, so some expressions have no type, but names of the own package
// are found all the same.
type checker struct {
	tree     *Tree
	packages map[string]*types.Package // by folder
	arrows   map[string]graph          // by folder
}

// Import implements types.Importer.
func (c *checker) Import(target string) (*types.Package, error) {
	if dir, ours := ourDir(target); ours {
		return c.check(dir), nil
	}
	p := types.NewPackage(target, path.Base(target))
	p.MarkComplete()
	return p, nil
}

func (c *checker) check(dir string) *types.Package {
	if p, ok := c.packages[dir]; ok {
		return p
	}
	var files []*ast.File
	for _, f := range c.tree.packageIn(dir) {
		files = append(files, f.AST)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	p, _ := config.Check(modulePath+"/"+dir, c.tree.Fset, files, &info) // errors are expected: see checker
	c.packages[dir] = p
	g := graph{}
	for use, object := range info.Uses {
		if object.Pkg() != p || !lasting(object) {
			continue
		}
		if from, to := c.file(use.Pos()), c.file(object.Pos()); from != to {
			g.add(from, to)
		}
	}
	c.arrows[dir] = g
	return p
}

// lasting reports whether an object is declared outside functions: a name of the package, or a method.
func lasting(o types.Object) bool {
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return o.Parent() == o.Pkg().Scope()
}

func (c *checker) file(pos token.Pos) string { return path.Base(c.tree.Fset.Position(pos).Filename) }

// graph has the arrows between the files of a package.
type graph map[string]map[string]bool

func (g graph) add(from, to string) {
	for _, f := range []string{from, to} {
		if g[f] == nil {
			g[f] = map[string]bool{}
		}
	}
	g[from][to] = true
}

// order puts the files in an order with few arrows that run up, from the top down. It repeats: files that use
// no other come last, files that no other uses come first; if there are neither, the one comes first that
// uses most and is used least (Eades, Lin and Smyth, 1993).
func (g graph) order() []string {
	left := map[string]bool{}
	for f := range g {
		left[f] = true
	}
	var first, last []string
	for len(left) > 0 {
		best, most := "", 0
		for _, f := range slices.Sorted(maps.Keys(left)) {
			uses, used := 0, 0
			for other := range left {
				if g[f][other] {
					uses++
				}
				if g[other][f] {
					used++
				}
			}
			if uses == 0 {
				last = append(last, f)
				best = ""
				delete(left, f)
				break
			}
			score := uses - used
			if used == 0 {
				score = len(g) + 1
			}
			if best == "" || score > most {
				best, most = f, score
			}
		}
		if best != "" {
			first = append(first, best)
			delete(left, best)
		}
	}
	slices.Reverse(last)
	return append(first, last...)
}
