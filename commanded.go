package allele

import "github.com/allele-go/allele/internal/ops/job"

// currentJob is what the command has asked of this process; tests put their own in
// its place.
var currentJob = job.Current
