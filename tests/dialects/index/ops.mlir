// RUN: %{round-trip}

// CHECK-LABEL: func.func @binary
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @binary(%a: index, %b: index) {
  // CHECK-NEXT: index.add %[[A]], %[[B]]
  %0 = index.add %a, %b
  // CHECK-NEXT: index.sub %[[A]], %[[B]] {tag}
  %1 = index.sub %a, %b {tag}
  // CHECK-NEXT: index.mul %[[A]], %[[B]]
  %2 = index.mul %a, %b
  // CHECK-NEXT: index.divs
  %3 = index.divs %a, %b
  // CHECK-NEXT: index.divu
  %4 = index.divu %a, %b
  // CHECK-NEXT: index.ceildivs
  %5 = index.ceildivs %a, %b
  // CHECK-NEXT: index.ceildivu
  %6 = index.ceildivu %a, %b
  // CHECK-NEXT: index.floordivs
  %7 = index.floordivs %a, %b
  // CHECK-NEXT: index.rems
  %8 = index.rems %a, %b
  // CHECK-NEXT: index.remu
  %9 = index.remu %a, %b
  // CHECK-NEXT: index.maxs
  %10 = index.maxs %a, %b
  // CHECK-NEXT: index.maxu
  %11 = index.maxu %a, %b
  // CHECK-NEXT: index.mins
  %12 = index.mins %a, %b
  // CHECK-NEXT: index.minu
  %13 = index.minu %a, %b
  // CHECK-NEXT: index.shl
  %14 = index.shl %a, %b
  // CHECK-NEXT: index.shrs
  %15 = index.shrs %a, %b
  // CHECK-NEXT: index.shru
  %16 = index.shru %a, %b
  // CHECK-NEXT: index.and
  %17 = index.and %a, %b
  // CHECK-NEXT: index.or
  %18 = index.or %a, %b
  // CHECK-NEXT: index.xor
  %19 = index.xor %a, %b
  return
}

// CHECK-LABEL: func.func @casts
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: i32)
func.func @casts(%a: index, %b: i32) {
  // CHECK-NEXT: index.casts %[[A]] : index to i64
  %0 = index.casts %a : index to i64
  // CHECK-NEXT: index.castu %[[B]] : i32 to index
  %1 = index.castu %b : i32 to index
  return
}

// CHECK-LABEL: func.func @compare
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @compare(%a: index, %b: index) {
  // CHECK-NEXT: index.cmp eq(%[[A]], %[[B]])
  %0 = index.cmp eq(%a, %b)
  // CHECK-NEXT: index.cmp uge(%[[B]], %[[A]])
  %1 = index.cmp uge(%b, %a)
  return
}

// Constants are called after their value.
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: index.sizeof
  %0 = index.sizeof
  // CHECK-NEXT: %idx42 = index.constant 42
  %1 = index.constant 42
  // CHECK-NEXT: %idx-1 = index.constant -1
  %2 = index.constant -1
  // CHECK-NEXT: %true = index.bool.constant true
  %3 = index.bool.constant true
  // CHECK-NEXT: %false = index.bool.constant false
  %4 = index.bool.constant false
  return
}
