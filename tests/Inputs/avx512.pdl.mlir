// What instructions of AVX-512 compute, by others: so machines that lack them run programs that are compiled for processors that have them.
//
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: VPDPBUSD, VDPBF16PS, VSCALEFPS.

// Sums of four products each, of bytes without a sign and with one.
pdl.pattern @vpdpbusd : benefit(1) {
  %acc = operand
  %a = operand
  %b = operand
  %intrinsic = attribute = "llvm.x86.avx512.vpdpbusd.512"
  %type = type : vector<16xi32>
  %call = operation "llvm.call_intrinsic"(%acc, %a, %b : !pdl.value, !pdl.value, !pdl.value) {"intrin" = %intrinsic} -> (%type : !pdl.type)
  rewrite %call {
    %wide = type : vector<64xi32>
    %widened_a = operation "llvm.zext"(%a : !pdl.value) -> (%wide : !pdl.type)
    %wide_a = result 0 of %widened_a
    %widened_b = operation "llvm.sext"(%b : !pdl.value) -> (%wide : !pdl.type)
    %wide_b = result 0 of %widened_b
    %multiplication = operation "llvm.mul"(%wide_a, %wide_b : !pdl.value, !pdl.value) -> (%wide : !pdl.type)
    %products = result 0 of %multiplication
    %at0 = attribute = array<i32: 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60>
    %part0 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at0} -> (%type : !pdl.type)
    %product0 = result 0 of %part0
    %addition0 = operation "llvm.add"(%acc, %product0 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum0 = result 0 of %addition0
    %at1 = attribute = array<i32: 1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 45, 49, 53, 57, 61>
    %part1 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at1} -> (%type : !pdl.type)
    %product1 = result 0 of %part1
    %addition1 = operation "llvm.add"(%sum0, %product1 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum1 = result 0 of %addition1
    %at2 = attribute = array<i32: 2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62>
    %part2 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at2} -> (%type : !pdl.type)
    %product2 = result 0 of %part2
    %addition2 = operation "llvm.add"(%sum1, %product2 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum2 = result 0 of %addition2
    %at3 = attribute = array<i32: 3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 51, 55, 59, 63>
    %part3 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at3} -> (%type : !pdl.type)
    %product3 = result 0 of %part3
    %addition3 = operation "llvm.add"(%sum2, %product3 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum3 = result 0 of %addition3
    replace %call with (%sum3 : !pdl.value)
  }
}

// Sums of two products each, of which the instruction rounds to odd what this rounds to even, and takes denormal numbers for zeros.
pdl.pattern @vdpbf16ps : benefit(1) {
  %acc = operand
  %a = operand
  %b = operand
  %intrinsic = attribute = "llvm.x86.avx512bf16.dpbf16ps.512"
  %type = type : vector<16xf32>
  %call = operation "llvm.call_intrinsic"(%acc, %a, %b : !pdl.value, !pdl.value, !pdl.value) {"intrin" = %intrinsic} -> (%type : !pdl.type)
  rewrite %call {
    %wide = type : vector<32xf32>
    %widened_a = operation "llvm.fpext"(%a : !pdl.value) -> (%wide : !pdl.type)
    %wide_a = result 0 of %widened_a
    %widened_b = operation "llvm.fpext"(%b : !pdl.value) -> (%wide : !pdl.type)
    %wide_b = result 0 of %widened_b
    %multiplication = operation "llvm.fmul"(%wide_a, %wide_b : !pdl.value, !pdl.value) -> (%wide : !pdl.type)
    %products = result 0 of %multiplication
    %at1 = attribute = array<i32: 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>
    %part1 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at1} -> (%type : !pdl.type)
    %product1 = result 0 of %part1
    %addition1 = operation "llvm.fadd"(%acc, %product1 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum1 = result 0 of %addition1
    %at0 = attribute = array<i32: 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>
    %part0 = operation "llvm.shufflevector"(%products, %products : !pdl.value, !pdl.value) {"mask" = %at0} -> (%type : !pdl.type)
    %product0 = result 0 of %part0
    %addition0 = operation "llvm.fadd"(%sum1, %product0 : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum0 = result 0 of %addition0
    replace %call with (%sum0 : !pdl.value)
  }
}

// Numbers times two to the power of others, rounded down.
pdl.pattern @vscalefps_128 : benefit(1) {
  %a = operand
  %power = operand
  %otherwise = operand
  %mask = operand
  %intrinsic = attribute = "llvm.x86.avx512.mask.scalef.ps.128"
  %type = type : vector<4xf32>
  %call = operation "llvm.call_intrinsic"(%a, %power, %otherwise, %mask : !pdl.value, !pdl.value, !pdl.value, !pdl.value) {"intrin" = %intrinsic} -> (%type : !pdl.type)
  rewrite %call {
    %rounding = operation "llvm.intr.floor"(%power : !pdl.value) -> (%type : !pdl.type)
    %whole = result 0 of %rounding
    %exponentiation = operation "llvm.intr.exp2"(%whole : !pdl.value) -> (%type : !pdl.type)
    %scale = result 0 of %exponentiation
    %multiplication = operation "llvm.fmul"(%a, %scale : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %product = result 0 of %multiplication
    replace %call with (%product : !pdl.value)
  }
}

pdl.pattern @vscalefps_256 : benefit(1) {
  %a = operand
  %power = operand
  %otherwise = operand
  %mask = operand
  %intrinsic = attribute = "llvm.x86.avx512.mask.scalef.ps.256"
  %type = type : vector<8xf32>
  %call = operation "llvm.call_intrinsic"(%a, %power, %otherwise, %mask : !pdl.value, !pdl.value, !pdl.value, !pdl.value) {"intrin" = %intrinsic} -> (%type : !pdl.type)
  rewrite %call {
    %rounding = operation "llvm.intr.floor"(%power : !pdl.value) -> (%type : !pdl.type)
    %whole = result 0 of %rounding
    %exponentiation = operation "llvm.intr.exp2"(%whole : !pdl.value) -> (%type : !pdl.type)
    %scale = result 0 of %exponentiation
    %multiplication = operation "llvm.fmul"(%a, %scale : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %product = result 0 of %multiplication
    replace %call with (%product : !pdl.value)
  }
}

pdl.pattern @vscalefps_512 : benefit(1) {
  %a = operand
  %power = operand
  %otherwise = operand
  %mask = operand
  %rounding_mode = operand
  %intrinsic = attribute = "llvm.x86.avx512.mask.scalef.ps.512"
  %type = type : vector<16xf32>
  %call = operation "llvm.call_intrinsic"(%a, %power, %otherwise, %mask, %rounding_mode : !pdl.value, !pdl.value, !pdl.value, !pdl.value, !pdl.value) {"intrin" = %intrinsic} -> (%type : !pdl.type)
  rewrite %call {
    %rounding = operation "llvm.intr.floor"(%power : !pdl.value) -> (%type : !pdl.type)
    %whole = result 0 of %rounding
    %exponentiation = operation "llvm.intr.exp2"(%whole : !pdl.value) -> (%type : !pdl.type)
    %scale = result 0 of %exponentiation
    %multiplication = operation "llvm.fmul"(%a, %scale : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %product = result 0 of %multiplication
    replace %call with (%product : !pdl.value)
  }
}
