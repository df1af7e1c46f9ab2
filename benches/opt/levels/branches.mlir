// Blocks and branches, promotable and splittable memory.

// --- function
func.func @f$(%a: i32, %b: i32, %n: index, %flag: i1, %ints: memref<1024xi32>) {
  // --- body
  %cell$ = memref.alloca() : memref<i32>
  %pair$ = memref.alloca() : memref<2xi32>
  %at0$ = arith.constant 0 : index
  %at1$ = arith.constant 1 : index
  %true$ = arith.constant true
  memref.store %a, %cell$[] : memref<i32>
  memref.store %a, %pair$[%at0$] : memref<2xi32>
  memref.store %b, %pair$[%at1$] : memref<2xi32>
  %less$ = arith.cmpi slt, %a, %b : i32
  cf.cond_br %less$, ^then$, ^else$
^then$:
  %twice$ = arith.addi %a, %a : i32
  memref.store %twice$, %cell$[] : memref<i32>
  cf.br ^join$(%twice$ : i32)
^else$:
  %square$ = arith.muli %b, %b : i32
  cf.br ^join$(%square$ : i32)
^join$(%merged$: i32):
  %loaded$ = memref.load %cell$[] : memref<i32>
  %left$ = memref.load %pair$[%at0$] : memref<2xi32>
  %right$ = memref.load %pair$[%at1$] : memref<2xi32>
  %s0$ = arith.addi %loaded$, %merged$ : i32
  %s1$ = arith.addi %left$, %right$ : i32
  %s2$ = arith.addi %s0$, %s1$ : i32
  cf.cond_br %true$, ^head$(%at0$ : index), ^last$
^head$(%i$: index):
  %more$ = arith.cmpi slt, %i$, %n : index
  cf.cond_br %more$, ^loop$, ^last$
^loop$:
  memref.store %s2$, %ints[%i$] : memref<1024xi32>
  %next$ = arith.addi %i$, %at1$ : index
  cf.br ^head$(%next$ : index)
^last$:
  // --- end
  return
}
