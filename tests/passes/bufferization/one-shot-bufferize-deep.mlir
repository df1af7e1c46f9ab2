// Deep nests and long chains take no time to speak of: none of these ends where it doubles with each level. What comes out is as mlir-opt has it for
// shorter ones. (`%%` is `%` to some.)

// Each loop carries what the one around it does.
// RUN: (echo 'func.func @f(%%a0: tensor<8xf32>, %%x: f32, %%n: index) -> tensor<8xf32> {'; for i in $(seq 60); do \
// RUN:   echo "%%r$i = scf.for %%i$i = %%n to %%n step %%n iter_args(%%a$i = %%a$((i-1))) -> (tensor<8xf32>) {"; done; \
// RUN:   echo 'NEW'; for i in $(seq 60 -1 2); do echo "scf.yield %%r$i : tensor<8xf32> }"; done; \
// RUN:   echo 'return %%r1 : tensor<8xf32> }') | sed 's/%%/%/g' > %t.nest
// RUN: sed 's/NEW/%%r = tensor.insert %%x into %%a60[%%n] : tensor<8xf32> scf.yield %%r : tensor<8xf32> }/; s/%%/%/g' %t.nest > %t.insert
// RUN: dl-opt %t.insert --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=INSERT

// INSERT-LABEL:    func.func @f
// INSERT-COUNT-60: scf.for {{.*}} -> (memref<8xf32, strided<[?], offset: ?>>) {
// INSERT-NEXT:     memref.store
// INSERT-NEXT:     scf.yield
// INSERT-NOT:      memref.alloc

// What an iteration yields is another buffer: refused, first for the innermost loop, or copied in each.
// RUN: sed 's/NEW/%%r = tensor.splat %%x : tensor<8xf32> scf.yield %%r : tensor<8xf32> }/; s/%%/%/g' %t.nest > %t.splat
// RUN: not dl-opt %t.splat --one-shot-bufferize=bufferize-function-boundaries 2>&1 | FileCheck %s --check-prefix=INNERMOST
// RUN: dl-opt %t.splat --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" | FileCheck %s --check-prefix=SPLAT

// INNERMOST:     :62:{{[0-9]+}}: error: Yield operand #0 is not equivalent to the corresponding iter bbArg
// INNERMOST-NOT: error:

// SPLAT-LABEL:    func.func @f
// SPLAT-COUNT-60: scf.for {{.*}} -> (memref<8xf32, strided<[?], offset: ?>>) {
// SPLAT-NEXT:     memref.alloc

// Nothing writes what any of these choices yields.
// RUN: (echo 'func.func @f(%%x: tensor<8xf32>, %%c: i1) -> f32 { %%n = arith.constant 0 : index'; \
// RUN:   for i in $(seq 40); do echo "%%r$i = scf.if %%c -> tensor<8xf32> {"; done; \
// RUN:   echo '%%r41 = tensor.extract_slice %%x[0] [8] [1] : tensor<8xf32> to tensor<8xf32>'; \
// RUN:   for i in $(seq 41 -1 2); do echo "scf.yield %%r$i : tensor<8xf32> } else { scf.yield %%x : tensor<8xf32> }"; done; \
// RUN:   echo '%%e = tensor.extract %%r1[%%n] : tensor<8xf32> return %%e : f32 }') | sed 's/%%/%/g' > %t.if
// RUN: dl-opt %t.if --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=IF

// IF-LABEL:    func.func @f
// IF-COUNT-40: scf.if {{.*}} -> (memref<8xf32, strided<[?], offset: ?>>) {
// IF-NEXT:     memref.subview
// IF-NOT:      memref.alloc

// There are 2^40 ways through these blocks.
// RUN: (echo 'func.func @f(%%a: tensor<8xf32>, %%x: f32, %%c: i1, %%n: index) -> tensor<8xf32> { cf.br ^a1(%%a : tensor<8xf32>)'; \
// RUN:   for i in $(seq 40); do echo "^a$i(%%a$i: tensor<8xf32>): cf.cond_br %%c, ^b$i(%%a$i: tensor<8xf32>), ^c$i(%%a$i: tensor<8xf32>)"; \
// RUN:   echo "^b$i(%%b$i: tensor<8xf32>): cf.br ^a$((i+1))(%%b$i: tensor<8xf32>)"; \
// RUN:   echo "^c$i(%%c$i: tensor<8xf32>): cf.br ^a$((i+1))(%%c$i: tensor<8xf32>)"; done; \
// RUN:   echo '^a41(%%a41: tensor<8xf32>): %%r = tensor.insert %%x into %%a41[%%n] : tensor<8xf32> return %%r : tensor<8xf32> }') \
// RUN:   | sed 's/%%/%/g' > %t.branch
// RUN: dl-opt %t.branch --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BRANCH

// BRANCH-LABEL:    func.func @f
// BRANCH-COUNT-40: cf.cond_br %{{.*}}(%{{.*}} : memref<8xf32, strided<[?], offset: ?>>)
// BRANCH:          memref.store
// BRANCH-NOT:      memref.alloc

// Each a part of the one before.
// RUN: (echo 'func.func @f(%%a0: tensor<308xf32>) -> tensor<8xf32> {'; for i in $(seq 300); do \
// RUN:   echo "%%a$i = tensor.extract_slice %%a$((i-1))[1] [$((308-i))] [1] : tensor<$((309-i))xf32> to tensor<$((308-i))xf32>"; done; \
// RUN:   echo 'return %%a300 : tensor<8xf32> }') | sed 's/%%/%/g' > %t.slices
// RUN: dl-opt %t.slices --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=SLICES
// RUN: dl-opt %t.slices --eliminate-empty-tensors | FileCheck %s --check-prefix=KEPT

// SLICES-LABEL:     func.func @f
// SLICES-COUNT-300: memref.subview
// SLICES-NEXT:      return
// KEPT-LABEL:       func.func @f
// KEPT-COUNT-300:   tensor.extract_slice
// KEPT-NEXT:        return
