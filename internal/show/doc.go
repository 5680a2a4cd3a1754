//go:build go1.25

// Package show is a room: what people see of the results of other processes.
//
//	report    what is shown of a campaign, and where: a table, lines, JSON; the summary
//	chart     how inputs are distributed, as bars or as a page
//
// Both get plain data (proc/event, proc/dist) and write text.
package show
