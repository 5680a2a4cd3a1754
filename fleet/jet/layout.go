// Package jet connects the hosts of a campaign over NATS JetStream. It implements
// transport.Transport.
//
// Each campaign has an account of its own on the servers, so the names of streams and subjects
// are the same in all campaigns.
package jet

// The streams of a campaign and their subjects. A key, and the hash of a blob, is written in
// hexadecimal.
//
//	CORPUS  corpus.<shard>.<key>   kept cases: the first message of a subject wins, and is
//	                               published again as live.corpus.<shard>.<key>
//	FAIL    fail.<key>             failures: the first one wins; cannot be deleted
//	JOBS    job.<queue>.<id>       work queue, with a durable pull consumer for each queue
//	DONE    done.<queue>.<id>      results of jobs: the first one wins
//	CAMP    camp.>                 state of the campaign: the last message of a subject counts
//	AGENTS  agent.<id>             what agents report of themselves, kept in memory for two minutes
//	BLOB    blob.<hash>.<n>        parts of large cases, written by workers
//	BIN     bin.<hash>.<n>         parts of bundles of test binaries, written by submitters
const (
	Corpus = "CORPUS"
	Fail   = "FAIL"
	Jobs   = "JOBS"
	Done   = "DONE"
	Camp   = "CAMP"
	Agents = "AGENTS"
	Blob   = "BLOB"
	Bin    = "BIN"
)
