// RUN: dl-opt %s --split-input-file --verify-diagnostics

llvm.func @pointer_to_number(%p: !llvm.ptr) {
  // expected-error @below {{'llvm.bitcast' op can only cast pointers from and to pointers}}
  %0 = llvm.bitcast %p : !llvm.ptr to i64
  llvm.return
}

// -----

llvm.func @pointers_to_pointer(%p: vector<4x!llvm.ptr>) {
  // expected-error @below {{'llvm.bitcast' op cannot cast vector of pointers to pointer}}
  %0 = llvm.bitcast %p : vector<4x!llvm.ptr> to !llvm.ptr
  llvm.return
}

// -----

llvm.func @pointer_to_pointers(%p: !llvm.ptr) {
  // expected-error @below {{'llvm.bitcast' op cannot cast pointer to vector of pointers}}
  %0 = llvm.bitcast %p : !llvm.ptr to vector<4x!llvm.ptr>
  llvm.return
}

// -----

llvm.func @address_spaces(%p: vector<4x!llvm.ptr<1>>) {
  // expected-error @below {{'llvm.bitcast' op cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead}}
  %0 = llvm.bitcast %p : vector<4x!llvm.ptr<1>> to vector<4x!llvm.ptr>
  llvm.return
}

// -----

llvm.func @same_width(%x: i32) {
  // expected-error @below {{integer width of the output type is smaller or equal to the integer width of the input type}}
  %0 = llvm.zext %x : i32 to i32
  llvm.return
}

// -----

llvm.func @narrower(%x: vector<2xi32>) {
  // expected-error @below {{integer width of the output type is smaller or equal to the integer width of the input type}}
  %0 = llvm.sext %x : vector<2xi32> to vector<2xi16>
  llvm.return
}

// -----

llvm.func @lanes(%x: vector<2xi32>) {
  // expected-error @below {{input and output vectors are of incompatible shape}}
  %0 = llvm.sext %x : vector<2xi32> to vector<[2]xi64>
  llvm.return
}

// -----

llvm.func @number_to_vector(%x: i32) {
  // expected-error @below {{input type is an integer but output type is a vector}}
  %0 = llvm.zext %x : i32 to vector<1xi64>
  llvm.return
}

// -----

llvm.func @vector_to_number(%x: vector<1xi32>) {
  // expected-error @below {{input type is a vector but output type is an integer}}
  %0 = llvm.zext %x : vector<1xi32> to i64
  llvm.return
}
