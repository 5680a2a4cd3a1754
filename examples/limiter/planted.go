//go:build planted

package limiter

// planted turns on a bug that the properties must find.
const planted = true
