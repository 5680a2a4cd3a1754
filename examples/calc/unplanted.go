//go:build !planted

package calc

const planted = false
