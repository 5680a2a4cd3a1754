package faults

// equivalents lists faults of allele's own packages that change nothing that a test can notice,
// with the reason. The key is the identity of the fault.
var equivalents = map[string]string{}
