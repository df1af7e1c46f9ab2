// What the RUN lines of all other tests rely on.

// A check that does not match fails, and so does an empty input.
// RUN: echo one two | FileCheck %s
// RUN: echo two | not FileCheck %s
// RUN: not FileCheck %s < /dev/null
// CHECK: one

// RUN: printf 'a\nb\n' | count 2
// RUN: printf 'a\nb\n' | not count 3

// A crash is no failure that `not` may turn into a success.
// RUN: not false
// RUN: not not true
// RUN: not not bash -c 'kill -SEGV $$'
// RUN: not --crash bash -c 'kill -SEGV $$'

// RUN: echo > %t && test -f %t
// RUN: test %s = %S/pipes.mlir

// DEFINE: %{greeting} = echo one
// RUN: %{greeting} | FileCheck %s
