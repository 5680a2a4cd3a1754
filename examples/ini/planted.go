//go:build planted

package ini

// planted turns on a bug that the properties must find.
const planted = true
