//go:build go1.25 && planted

package limiter

// planted enables a bug that the properties must find.
const planted = true
