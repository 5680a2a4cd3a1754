package claims

// FileMax is for tests.
const FileMax = fileMax
