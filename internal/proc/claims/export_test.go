//go:build go1.25

package claims

// FileMax is for tests.
const FileMax = fileMax
