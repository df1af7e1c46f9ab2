// What CHECK lines may be made of, and what fails. Both checkers must agree.
// DEFINE: %{input} = printf '%b' 'a b c\n[!v0], x, [!v0]\n{foo} 12 {bar}\nsum of 7 at 8\nlast x y\n'

// A variable behind any text takes no more than the rest of the line leaves it.
// RUN: %{input} | FileCheck %s --check-prefix=BACK
// BACK: {{.*}} [[LAST:[a-z]]]
// BACK-NEXT: {{.*}}[[V:!v[0-9]]]], x, {{.*}}[[V]]]

// A bracket in front of a variable is one.
// RUN: %{input} | FileCheck %s --check-prefix=BRACKET
// BRACKET: [![[V:.*]]], x, [![[V]]]

// So is a brace behind an expression.
// RUN: %{input} | FileCheck %s --check-prefix=BRACE
// BRACE: {{[{]}}foo} {{[0-9]+}} {{.*}}{bar}

// The text of an earlier line is no expression.
// RUN: %{input} | FileCheck %s --check-prefix=TEXT
// TEXT: [[BEGIN:.]]!v0
// TEXT-SAME: ], x, [[BEGIN]]!v0]

// RUN: %{input} | FileCheck %s --check-prefix=NUMBER
// NUMBER: sum of [[#N:]]
// NUMBER-SAME: at [[#N+1]]

// RUN: %{input} | FileCheck %s --check-prefix=ORDER
// ORDER-DAG: last
// ORDER-DAG: foo
// ORDER-NOT: foo
// ORDER: {{x|y}} y

// RUN: %{input} | FileCheck %s --match-full-lines --check-prefix=LINE
// LINE: last x {{[xy]}}
// RUN: %{input} | not FileCheck %s --match-full-lines --check-prefix=PART
// PART: last x

// RUN: %{input} | not FileCheck %s --check-prefix=NEXT
// NEXT: a b c
// NEXT-NEXT: foo
// RUN: %{input} | not FileCheck %s --check-prefix=SAME
// SAME: a b c
// SAME-SAME: foo
// RUN: %{input} | not FileCheck %s --check-prefix=NEVER
// NEVER: a b c
// NEVER-NOT: bar
// NEVER: last
// RUN: %{input} | not FileCheck %s --check-prefix=OTHER
// OTHER: [![[V:.*]]], x, [[[V]]]

// A line is found before the label that follows it, or not at all.
// RUN: %{input} | FileCheck %s --check-prefix=LABEL
// LABEL-LABEL: a b c
// LABEL: foo
// LABEL-LABEL: sum
// RUN: %{input} | not FileCheck %s --check-prefix=LATE
// LATE-LABEL: a b c
// LATE: last
// LATE-LABEL: sum

// RUN: printf 'x\n\ny\nx x\n' | FileCheck %s --check-prefix=EMPTY
// EMPTY: x
// EMPTY-EMPTY:
// EMPTY-NEXT: y
// EMPTY-COUNT-2: x
// RUN: printf 'x\n\ny\nx y\n' | not FileCheck %s --check-prefix=EMPTY

// RUN: %{input} | FileCheck %s --check-prefix=NOTHING-ELSE --implicit-check-not=zzz
// RUN: %{input} | not FileCheck %s --check-prefix=NOTHING-ELSE --implicit-check-not=sum
// NOTHING-ELSE: a b c
// NOTHING-ELSE: last

// Lines with faults, which are found before anything is read.
// RUN: not FileCheck %s --input-file=%s --check-prefix=UNSET
// UNSET: [[NOBODY]]
// RUN: not FileCheck %s --input-file=%s --check-prefix=OPEN
// OPEN: {{[a}}
// RUN: not FileCheck %s --input-file=%s --check-prefix=TWICE
// TWICE: a{{.*?}}
// RUN: not FileCheck %s --input-file=%s --check-prefix=NO-LINE-BEGINS-SO
// RUN: not FileCheck %s --input-file=%s --check-prefix=BLANK
// BLANK:
// RUN: not FileCheck %s --input-file=%s --check-prefix=FIRST
// FIRST-NEXT: a
