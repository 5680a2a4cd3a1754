//go:build go1.25 && planted

package ini

// planted enables a bug that the properties must find.
const planted = true
