//go:build planted

package calc

// planted turns on a bug that the properties must find.
const planted = true
