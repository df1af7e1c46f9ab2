// RUN: dl-opt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s
// RUN: dl-opt %s --view-op-graph='print-data-flow-edges=false print-control-flow-edges=true print-attrs=false print-result-types=false' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: dl-opt %s --view-op-graph='max-label-len=4' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT

//      CHECK: digraph G {
// CHECK-NEXT:   compound = true;
// CHECK-NEXT:   subgraph cluster_1 {
// CHECK-NEXT:     v2 [label = " ", shape = plain];
// CHECK-NEXT:     label = "builtin.module : ()\l";
//      CHECK:       label = "func.func : ()\lfunction_type: (i32, i1) -\> i32\lsym_name: \"choose\"\l";
//      CHECK:         v9 [label = "<res_arg0> %arg0 i32", shape = Mrecord];
//      CHECK:         v10 [label = "<res_arg1> %arg1 i1", shape = Mrecord];
//      CHECK:         v11 [fillcolor = "0.000000 0.3 0.95", label = "{arith.constant\l\lvalue: 1 : i32\l|{<res_c1_i32> %c1_i32 i32}}", shape = Mrecord, style = filled];
//      CHECK:         subgraph cluster_12 {
//      CHECK:           label = "scf.if : (i32)\l";
//      CHECK:             label = "{{[{][{]}}<arg_c1_i32> %c1_i32}|scf.yield\l}"
//      CHECK:         fillcolor = "0.500000 0.3 0.95", label = "{{[{][{]}}<arg_0> %0}|func.return\l}"
//      CHECK:   v10:res_arg1:s -> v13[lhead = cluster_12, style = solid];
//      CHECK:   v13 -> v{{[0-9]+}}:arg_0:n[ltail = cluster_12, style = solid];
// CHECK-NEXT: }

//     ORDER: label = "scf.if";
//     ORDER: label = "{arith.constant\l|{<res_c2_i32> %c2_i32}}"
// ORDER-NOT: style = solid
//     ORDER: v11 -> v13[lhead = cluster_12, style = dashed];

// SHORT: function_type: (i32...\lsym_name: \"cho...\l
func.func @choose(%x: i32, %c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.if %c -> i32 {
    scf.yield %one : i32
  } else {
    %two = arith.constant 2 : i32
    scf.yield %two : i32
  }
  return %r : i32
}
