//go:build !planted

package limiter

const planted = false
