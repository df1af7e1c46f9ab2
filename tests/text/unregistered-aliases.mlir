// RUN: dl-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --allow-unregistered-dialect | dl-opt --allow-unregistered-dialect | FileCheck %s

// The text of an unregistered symbol is kept as it is, but for aliases: their definitions are not.

#inner = #d.encoding<{a, "#inner", @b}>
!element = i32
#outer = #d.pair<#inner, affine_map<(d0) -> (d0)>>

// CHECK: "d.op"() {a = #d.pair<#d.encoding<{a, "#inner", @b}>, affine_map<(d0) -> (d0)>>,
// CHECK-SAME: b = #d.other<#unknown, #d.x>,
// CHECK-SAME: c = !d.of<i32, !d.of<#d.encoding<{a, "#inner", @b}>>>}
"d.op"() {a = #outer, b = #d.other<#unknown, #d.x>, c = !d.of<!element, !d.of<#inner>>} : () -> ()
