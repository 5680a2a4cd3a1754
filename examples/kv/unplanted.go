//go:build go1.25 && !planted

package kv

const planted = false
