package proc

// Raced says whether the tests were built with the race detector.
const Raced = raced
