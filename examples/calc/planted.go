//go:build go1.25 && planted

package calc

// planted enables a bug that the properties must find.
const planted = true
