//go:build !planted

package ini

const planted = false
