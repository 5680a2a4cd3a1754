//go:build go1.25

// Package campaign decides when to search which property: it runs the properties of a
// module in worker processes, within a budget of time and a number of processors.
//
// The folder is a room: many processes that search together.
//
//	affected       which properties a change of the source may affect
//	   |
//	campaign       this package
//	   |
//	exchange       which workers and hosts receive a saved input
//	   |
//	transport      the calls between hosts: in memory, in a shared folder
//
//	bundle         test binaries in one file, for other hosts
//
// Three layers share the work. The suite hands out cpus: at most one process runs for
// each cpu, and within a budget properties take turns, by how much each has found
// lately (shares.go). A propertySearch is the group of workers that search one property
// together. A worker runs one process after the other: if a run crashes its process,
// another process confirms the input and the search goes on.
//
//	c := campaign.New(campaign.Config{Supervisor: s, Builds: b, Listener: l, Search: params})
//	failed, err := c.Run(properties)
//
// The package does not build, print or start processes itself. It asks interfaces. A Program names
// the test binaries with probes, which workers run, and a Runner starts them. Builds makes the other
// binaries that a search may need, such as the one without probes. A Listener receives events.
// Tests replace all four, so they run campaigns without a compiler or a child process.
//
// A Supervisor, which has the Runner and the Program, runs a job for a property in a process with
// limits. It works without a campaign too: Reduce runs the saved inputs of a property again.
package campaign
