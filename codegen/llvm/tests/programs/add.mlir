// memref.alloc, a loop of loads, adds and a store, as -convert-*-to-llvm would leave them:
// func.func @add(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32>, a fresh buffer holding x + y.
!memref = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>

llvm.func @malloc(i64) -> !llvm.ptr

llvm.func @add(%x_allocated: !llvm.ptr, %x: !llvm.ptr, %x_offset: i64, %x_size: i64, %x_stride: i64,
               %y_allocated: !llvm.ptr, %y: !llvm.ptr, %y_offset: i64, %y_size: i64, %y_stride: i64)
    -> !memref attributes {llvm.emit_c_interface} {
  %zero = llvm.mlir.constant(0 : index) : i64
  %one = llvm.mlir.constant(1 : index) : i64
  %bytes = llvm.mlir.constant(16 : index) : i64
  %buffer = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %more = llvm.icmp "slt" %i, %x_size : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %vx = llvm.load %px : !llvm.ptr -> f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %vy = llvm.load %py : !llvm.ptr -> f32
  %sum = llvm.fadd %vx, %vy : f32
  %pz = llvm.getelementptr %buffer[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %sum, %pz : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^loop(%next : i64)
^done:
  %0 = llvm.mlir.poison : !memref
  %1 = llvm.insertvalue %buffer, %0[0] : !memref
  %2 = llvm.insertvalue %buffer, %1[1] : !memref
  %3 = llvm.insertvalue %zero, %2[2] : !memref
  %4 = llvm.insertvalue %x_size, %3[3, 0] : !memref
  %5 = llvm.insertvalue %one, %4[4, 0] : !memref
  llvm.return %5 : !memref
}

// What llvm.emit_c_interface stands for: descriptors by address, so that C can call it.
llvm.func @_mlir_ciface_add(%result: !llvm.ptr, %x: !llvm.ptr, %y: !llvm.ptr) {
  %dx = llvm.load %x : !llvm.ptr -> !memref
  %x0 = llvm.extractvalue %dx[0] : !memref
  %x1 = llvm.extractvalue %dx[1] : !memref
  %x2 = llvm.extractvalue %dx[2] : !memref
  %x3 = llvm.extractvalue %dx[3, 0] : !memref
  %x4 = llvm.extractvalue %dx[4, 0] : !memref
  %dy = llvm.load %y : !llvm.ptr -> !memref
  %y0 = llvm.extractvalue %dy[0] : !memref
  %y1 = llvm.extractvalue %dy[1] : !memref
  %y2 = llvm.extractvalue %dy[2] : !memref
  %y3 = llvm.extractvalue %dy[3, 0] : !memref
  %y4 = llvm.extractvalue %dy[4, 0] : !memref
  %0 = llvm.call @add(%x0, %x1, %x2, %x3, %x4, %y0, %y1, %y2, %y3, %y4)
      : (!llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64) -> !memref
  llvm.store %0, %result : !memref, !llvm.ptr
  llvm.return
}
