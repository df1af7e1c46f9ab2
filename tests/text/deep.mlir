// Nesting as deep as the input likes, through the tool and its passes. What is pure goes, at any depth.

// RUN: (echo 'func.func @f(%c: i1) {'; yes 'scf.if %c {' | head -n 6000; yes '}' | head -n 6000; echo 'return }') > %t.if
// RUN: dl-opt %t.if -o %t.printed && grep -c 'scf.if' %t.printed | grep -x 6000
// RUN: dl-opt %t.if --cse | FileCheck %s
// RUN: dl-opt %t.if --canonicalize | FileCheck %s

//      CHECK: func.func @f(%{{.*}}: i1) {
// CHECK-NEXT:   return
// CHECK-NEXT: }

// RUN: (yes 'module {' | head -n 6000; yes '}' | head -n 6000; true) > %t.module
// RUN: dl-opt %t.module --cse --symbol-dce -o %t.printed && grep -c 'module {' %t.printed | grep -x 6000

// RUN: (yes '"d.op"() ({' | head -n 6000; yes '}) : () -> ()' | head -n 6000; true) > %t.op
// RUN: dl-opt %t.op --allow-unregistered-dialect --canonicalize --cse -o %t.printed && grep -c 'd.op' %t.printed | grep -x 6000
