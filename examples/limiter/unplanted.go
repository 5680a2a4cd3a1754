//go:build go1.25 && !planted

package limiter

const planted = false
