//go:build planted

package limiter

// planted enables a bug that the properties must find.
const planted = true
