// A failure is seen wherever it is in a pipe.
// XFAIL: *
// RUN: false | count 0
