//go:build go1.25 && planted

package kv

// planted enables a bug that the properties must find.
const planted = true
