//go:build go1.25 && !planted

package calc

const planted = false
