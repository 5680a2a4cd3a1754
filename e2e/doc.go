// Package e2e tests allele from outside, together with what its users have.
//
// It is a module of its own, because it requires what they require.
package e2e
