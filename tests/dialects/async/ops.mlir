// RUN: %{round-trip}

// Every operation of `async` in its pretty form, in both directions.

// CHECK-LABEL: func.func @execute(%{{.*}}: !async.token, %{{.*}}: !async.value<f32>) {
// CHECK:       %{{.*}} = async.execute {
// CHECK:       async.yield
// CHECK:       %{{.*}} = async.execute [%{{.*}}, %{{.*}}] {
// CHECK:       async.yield
// CHECK:       %{{.*}}, %{{.*}}:2 = async.execute [%{{.*}}] (%{{.*}} as %{{.*}}: !async.value<f32>, %{{.*}} as %{{.*}}: !async.value<f32>) -> (!async.value<f32>, !async.value<index>) attributes {test.a} {
// CHECK:       %{{.*}} = arith.constant 1 : index
// CHECK:       async.yield %{{.*}}, %{{.*}} : f32, index
// CHECK:       return
func.func @execute(%t: !async.token, %v: !async.value<f32>) {
  %0 = async.execute {
    async.yield
  }
  %1 = async.execute [%t, %0] {
    async.yield
  } 
  %2, %3:2 = async.execute [%t] (%v as %a: !async.value<f32>, %v as %b: !async.value<f32>) -> (!async.value<f32>, !async.value<index>) attributes {test.a} {
    %c = arith.constant 1 : index
    async.yield %a, %c : f32, index
  }
  return
}

// CHECK-LABEL: func.func @await(%{{.*}}: !async.token, %{{.*}}: !async.value<tensor<2xf32>>) -> tensor<2xf32> {
// CHECK:       async.await %{{.*}} : !async.token
// CHECK:       %{{.*}} = async.await %{{.*}} : !async.value<tensor<2xf32>> {test.a}
// CHECK:       return %{{.*}} : tensor<2xf32>
func.func @await(%t: !async.token, %v: !async.value<tensor<2xf32>>) -> tensor<2xf32> {
  async.await %t : !async.token
  %0 = async.await %v : !async.value<tensor<2xf32>> {test.a}
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @groups(%{{.*}}: !async.token, %{{.*}}: !async.value<f32>, %{{.*}}: index) {
// CHECK:       %{{.*}} = async.create_group %{{.*}} : !async.group
// CHECK:       %{{.*}} = async.add_to_group %{{.*}}, %{{.*}} : !async.token
// CHECK:       %{{.*}} = async.add_to_group %{{.*}}, %{{.*}} : !async.value<f32>
// CHECK:       async.await_all %{{.*}} {test.a}
// CHECK:       return
func.func @groups(%t: !async.token, %v: !async.value<f32>, %n: index) {
  %0 = async.create_group %n : !async.group
  %1 = async.add_to_group %t, %0 : !async.token
  %2 = async.add_to_group %v, %0 : !async.value<f32>
  async.await_all %0 {test.a}
  return
}

// CHECK-LABEL: async.func private @declared(i32 {test.a}) -> !async.token
async.func private @declared(i32 {test.a}) -> !async.token

// CHECK-LABEL: async.func @defined(%{{.*}}: i32) -> (!async.token, !async.value<i32>) attributes {test.a} {
// CHECK:       return %{{.*}} : i32
async.func @defined(%a: i32) -> (!async.token, !async.value<i32>) attributes {test.a} {
  return %a : i32
}

// CHECK-LABEL: func.func @call(%{{.*}}: i32) {
// CHECK:       %{{.*}}:2 = async.call @defined(%{{.*}}) : (i32) -> (!async.token, !async.value<i32>)
// CHECK:       %{{.*}} = async.call @declared(%{{.*}}) {test.a} : (i32) -> !async.token
// CHECK:       return
func.func @call(%a: i32) {
  %0, %1 = async.call @defined(%a) : (i32) -> (!async.token, !async.value<i32>)
  %2 = async.call @declared(%a) {test.a} : (i32) -> !async.token
  return
}

// CHECK-LABEL: func.func @coroutine() {
// CHECK:       %{{.*}} = async.coro.id
// CHECK:       %{{.*}} = async.coro.begin %{{.*}}
// CHECK:       %{{.*}} = async.coro.save %{{.*}}
// CHECK:       async.coro.suspend %{{.*}}, ^bb3, ^bb1, ^bb2
func.func @coroutine() {
  %0 = async.coro.id
  %1 = async.coro.begin %0
  %2 = async.coro.save %1
  async.coro.suspend %2, ^suspend, ^resume, ^clean
// CHECK:       ^bb1:  // pred: ^bb0
// CHECK:       cf.br ^bb2
^resume:
  cf.br ^clean
// CHECK:       ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK:       async.coro.free %{{.*}}, %{{.*}}
// CHECK:       cf.br ^bb3
^clean:
  async.coro.free %0, %1
  cf.br ^suspend
// CHECK:       ^bb3:  // 2 preds: ^bb0, ^bb2
// CHECK:       async.coro.end %{{.*}}
// CHECK:       return
^suspend:
  async.coro.end %1
  return
}

// CHECK-LABEL: func.func @runtime(%{{.*}}: index, %{{.*}}: !async.coro.handle, %{{.*}}: f32) {
// CHECK:       %{{.*}} = async.runtime.create : !async.token
// CHECK:       %{{.*}} = async.runtime.create {test.a} : !async.value<f32>
// CHECK:       %{{.*}} = async.runtime.create_group %{{.*}} : !async.group
// CHECK:       async.runtime.set_available %{{.*}} : !async.token
// CHECK:       async.runtime.set_error %{{.*}} : !async.value<f32>
// CHECK:       %{{.*}} = async.runtime.is_error %{{.*}} : !async.group
// CHECK:       async.runtime.await %{{.*}} : !async.token
// CHECK:       async.runtime.resume %{{.*}}
// CHECK:       async.runtime.await_and_resume %{{.*}}, %{{.*}} : !async.value<f32>
// CHECK:       async.runtime.store %{{.*}}, %{{.*}} : <f32>
// CHECK:       %{{.*}} = async.runtime.load %{{.*}} {test.a} : <f32>
// CHECK:       %{{.*}} = async.runtime.add_to_group %{{.*}}, %{{.*}} : !async.token
// CHECK:       async.runtime.add_ref %{{.*}} {count = 2 : i64} : !async.token
// CHECK:       async.runtime.drop_ref %{{.*}} {count = 1 : i64} : !async.token
// CHECK:       %{{.*}} = async.runtime.num_worker_threads : index
// CHECK:       return
func.func @runtime(%n: index, %h: !async.coro.handle, %x: f32) {
  %t = async.runtime.create : !async.token
  %v = async.runtime.create {test.a} : !async.value<f32>
  %g = async.runtime.create_group %n : !async.group
  async.runtime.set_available %t : !async.token
  async.runtime.set_error %v : !async.value<f32>
  %0 = async.runtime.is_error %g : !async.group
  async.runtime.await %t : !async.token
  async.runtime.resume %h
  async.runtime.await_and_resume %v, %h : !async.value<f32>
  async.runtime.store %x, %v : !async.value<f32>
  %1 = async.runtime.load %v {test.a} : <f32>
  %2 = async.runtime.add_to_group %t, %g : !async.token
  async.runtime.add_ref %t {count = 2 : i64} : !async.token
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  %3 = async.runtime.num_worker_threads : index
  return
}
