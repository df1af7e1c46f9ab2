//! Memory, control flow, calls and lanes; every expected value is worked out by hand.

mod support;

use dl_codegen_cranelift::{TargetOptions, object};
use dl_runtime::{ArgType, Array, DType};
use support::{buffer, buffers, call, compile_one, elements, options, run_on, scalar, try_compile, with_module};

#[test]
fn a_switch_takes_the_case_or_the_default() {
    // Cases close together become a table, others comparisons.
    for (cases, ty) in [([0, 1, 2, 3], "i32"), ([-5, 7, 1000, 2], "i64"), ([1, 2, 3, 4], "i8")] {
        let [a, b, c, d] = cases;
        let text = format!(
            "llvm.func @f(%x: i64) -> i32 {{
              %k0 = llvm.mlir.constant(10 : i32) : i32
              %k1 = llvm.mlir.constant(11 : i32) : i32
              %y = {} %x : i64 to {ty}
              llvm.switch %y : {ty}, ^default(%k0 : i32) [{a}: ^join(%k1 : i32), {b}: ^two, {c}: ^three, {d}: ^two]
            ^two:
              %k2 = llvm.mlir.constant(12 : i32) : i32
              llvm.br ^join(%k2 : i32)
            ^three:
              %k3 = llvm.mlir.constant(13 : i32) : i32
              llvm.return %k3 : i32
            ^default(%v: i32):
              llvm.br ^join(%v : i32)
            ^join(%r: i32):
              llvm.return %r : i32
            }}",
            if ty == "i64" { "llvm.bitcast" } else { "llvm.trunc" }
        );
        let result = |x: i64| call::<i32>(&text, &mut [scalar(x)], DType::I32);
        assert_eq!([a, b, c, d, 99, -1].map(result), [11, 12, 13, 12, 10, if a == -1 { 11 } else { 10 }], "{ty}");
    }
}

#[test]
fn functions_call_each_other_and_themselves() {
    let text = "llvm.func @f(%n: i64) -> i64 {
        %k1 = llvm.mlir.constant(1 : i64) : i64
        %k2 = llvm.mlir.constant(2 : i64) : i64
        %small = llvm.icmp \"slt\" %n, %k2 : i64
        llvm.cond_br %small, ^done(%n : i64), ^more
      ^more:
        %a = llvm.sub %n, %k1 : i64
        %b = llvm.sub %n, %k2 : i64
        %fa = llvm.call @f(%a) : (i64) -> i64
        %pointer = llvm.mlir.addressof @f : !llvm.ptr
        %fb = llvm.call %pointer(%b) : !llvm.ptr, (i64) -> i64
        %sum = llvm.add %fa, %fb : i64
        llvm.br ^done(%sum : i64)
      ^done(%r: i64):
        llvm.return %r : i64
      }";
    assert_eq!(call::<i64>(text, &mut [scalar(20_i64)], DType::I64), 6765);
}

#[test]
fn large_results_go_through_memory() {
    let ty = "!llvm.struct<(i8, array<3 x i64>, f32, vector<6xf32>)>";
    let text = format!(
        "llvm.func @make(%x: i64) -> {ty} {{
          %p = llvm.mlir.poison : {ty}
          %c = llvm.mlir.constant(dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : vector<6xf32>) : vector<6xf32>
          %b = llvm.trunc %x : i64 to i8
          %g = llvm.sitofp %x : i64 to f32
          %0 = llvm.insertvalue %b, %p[0] : {ty}
          %1 = llvm.insertvalue %x, %0[1, 2] : {ty}
          %2 = llvm.insertvalue %g, %1[2] : {ty}
          %3 = llvm.insertvalue %c, %2[3] : {ty}
          llvm.return %3 : {ty}
        }}
        llvm.func @f(%x: i64) -> f32 {{
          %s = llvm.call @make(%x) : (i64) -> {ty}
          %b = llvm.extractvalue %s[0] : {ty}
          %w = llvm.extractvalue %s[1, 2] : {ty}
          %g = llvm.extractvalue %s[2] : {ty}
          %v = llvm.extractvalue %s[3] : {ty}
          %last = llvm.mlir.constant(5 : i32) : i32
          %e = llvm.extractelement %v[%last : i32] : vector<6xf32>
          %wb = llvm.sitofp %b : i8 to f32
          %ww = llvm.sitofp %w : i64 to f32
          %0 = llvm.fadd %wb, %ww : f32
          %1 = llvm.fadd %0, %g : f32
          %2 = llvm.fadd %1, %e : f32
          llvm.return %2 : f32
        }}"
    );
    // -1 as a byte, 255, 255 and 6.
    let sum: f32 = call(&text, &mut [scalar(255_i64)], DType::F32);
    assert_eq!(sum.to_bits(), 515.0_f32.to_bits());
}

#[test]
fn memory_of_the_stack_lasts_as_long_as_it_must() {
    // A list of squares in memory that grows in a loop, summed afterwards; the part after `stacksave` is given back.
    let text = "llvm.func @f(%n: i64) -> i64 {
        %k0 = llvm.mlir.constant(0 : i64) : i64
        %k1 = llvm.mlir.constant(1 : i64) : i64
        %null = llvm.mlir.zero : !llvm.ptr
        llvm.br ^head(%k0, %null : i64, !llvm.ptr)
      ^head(%i: i64, %list: !llvm.ptr):
        %more = llvm.icmp \"slt\" %i, %n : i64
        llvm.cond_br %more, ^body, ^sum(%list, %k0 : !llvm.ptr, i64)
      ^body:
        %node = llvm.alloca %k1 x !llvm.struct<(ptr, i64)> : (i64) -> !llvm.ptr
        llvm.store %list, %node : !llvm.ptr, !llvm.ptr
        %place = llvm.getelementptr %node[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64)>
        %square = llvm.mul %i, %i : i64
        llvm.store %square, %place : i64, !llvm.ptr
        %saved = llvm.intr.stacksave : !llvm.ptr
        %wide = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
        llvm.store %k0, %wide : i64, !llvm.ptr
        llvm.intr.stackrestore %saved : !llvm.ptr
        %next = llvm.add %i, %k1 : i64
        llvm.br ^head(%next, %node : i64, !llvm.ptr)
      ^sum(%at: !llvm.ptr, %total: i64):
        %end = llvm.icmp \"eq\" %at, %null : !llvm.ptr
        llvm.cond_br %end, ^done, ^add
      ^add:
        %p = llvm.getelementptr %at[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64)>
        %v = llvm.load %p : !llvm.ptr -> i64
        %t = llvm.add %total, %v : i64
        %before = llvm.load %at : !llvm.ptr -> !llvm.ptr
        llvm.br ^sum(%before, %t : !llvm.ptr, i64)
      ^done:
        llvm.return %total : i64
      }";
    let live = dl_runtime::alloc::live_bytes();
    assert_eq!(call::<i64>(text, &mut [scalar(100_i64)], DType::I64), 328_350);
    assert_eq!(dl_runtime::alloc::live_bytes(), live);
}

#[test]
fn globals_begin_as_they_say() {
    let text = format!(
        "llvm.mlir.global internal constant @numbers(dense<[[1, 2], [3, 40000]]> : tensor<2x2xi32>) : !llvm.array<2 x array<2 x i32>>
        llvm.mlir.global internal constant @text(\"ab\\00\") : !llvm.array<3 x i8>
        llvm.mlir.global internal @counter(7 : i64) : i64
        llvm.mlir.global internal constant @pair() : !llvm.struct<(i16, ptr)> {{
          %p = llvm.mlir.poison : !llvm.struct<(i16, ptr)>
          %n = llvm.mlir.constant(300 : i16) : i16
          %a = llvm.mlir.addressof @counter : !llvm.ptr
          %0 = llvm.insertvalue %n, %p[0] : !llvm.struct<(i16, ptr)>
          %1 = llvm.insertvalue %a, %0[1] : !llvm.struct<(i16, ptr)>
          llvm.return %1 : !llvm.struct<(i16, ptr)>
        }}
        llvm.mlir.global internal constant @large(dense<{:?}> : tensor<2048xi32>) : !llvm.array<2048 x i32>
        llvm.func @f({}) {{
          %i = llvm.mlir.constant(2000 : i64) : i64
          %one = llvm.mlir.constant(1 : i64) : i64
          %numbers = llvm.mlir.addressof @numbers : !llvm.ptr
          %p0 = llvm.getelementptr %numbers[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x array<2 x i32>>
          %v0 = llvm.load %p0 : !llvm.ptr -> i32
          %w0 = llvm.sext %v0 : i32 to i64
          %text = llvm.mlir.addressof @text : !llvm.ptr
          %p1 = llvm.getelementptr %text[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x i8>
          %v1 = llvm.load %p1 : !llvm.ptr -> i8
          %w1 = llvm.zext %v1 : i8 to i64
          %pair = llvm.mlir.addressof @pair : !llvm.ptr
          %s = llvm.load %pair : !llvm.ptr -> !llvm.struct<(i16, ptr)>
          %v2 = llvm.extractvalue %s[0] : !llvm.struct<(i16, ptr)>
          %w2 = llvm.zext %v2 : i16 to i64
          %counter = llvm.extractvalue %s[1] : !llvm.struct<(i16, ptr)>
          %before = llvm.load %counter : !llvm.ptr -> i64
          %after = llvm.add %before, %one : i64
          llvm.store %after, %counter : i64, !llvm.ptr
          %direct = llvm.mlir.addressof @counter : !llvm.ptr
          %w3 = llvm.load %direct : !llvm.ptr -> i64
          %large = llvm.mlir.addressof @large : !llvm.ptr
          %p4 = llvm.getelementptr %large[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2048 x i32>
          %v4 = llvm.load %p4 : !llvm.ptr -> i32
          %w4 = llvm.sext %v4 : i32 to i64
          {}
          llvm.return
        }}",
        (0..2048).map(|at| at * 3).collect::<Vec<_>>(),
        buffers(&["a"]),
        (0..5).map(|at| format!(
            "%q{at} = llvm.getelementptr %a1[{at}] : (!llvm.ptr) -> !llvm.ptr, i64
             llvm.store %w{at}, %q{at} : i64, !llvm.ptr\n")).collect::<String>(),
    );
    let mut args = [buffer(&[0_i64; 5])];
    let module = compile_one(&text, "f", &[support::type_of(&args[0])], &[]);
    for count in 8..10 {
        module.run("f", &mut args).unwrap();
        assert_eq!(elements::<i64>(&args[0]), [40000, 98, 300, count, 6000]);
    }
}

#[test]
fn lanes_are_moved_and_chosen() {
    let text = format!(
        "llvm.func @f({}, %k: i32) {{
          %x = llvm.load %a1 : !llvm.ptr -> vector<6xi32>
          %y = llvm.load %b1 : !llvm.ptr -> vector<6xi32>
          %s = llvm.shufflevector %x, %y [11, 0, 7, 3, -1, 5, 1, 1, 9] : vector<6xi32>
          llvm.store %s, %c1 : vector<9xi32>, !llvm.ptr
          %m = llvm.icmp \"slt\" %x, %y : vector<6xi32>
          %e = llvm.extractelement %m[%k : i32] : vector<6xi1>
          %t = llvm.insertelement %e, %m[%k : i32] : vector<6xi1>
          %n = llvm.icmp \"eq\" %x, %x : vector<6xi32>
          %u = llvm.xor %t, %n : vector<6xi1>
          %r = llvm.select %u, %x, %y : vector<6xi1>, vector<6xi32>
          llvm.store %r, %d1 : vector<6xi32>, !llvm.ptr
          %bits = llvm.bitcast %m : vector<6xi1> to i6
          %w = llvm.zext %bits : i6 to i32
          llvm.store %w, %e1 : i32, !llvm.ptr
          llvm.return
        }}",
        buffers(&["a", "b", "c", "d", "e"])
    );
    let (x, y) = ([1, 9, 3, 9, 5, 9], [2, 2, 4, 4, 6, 6]);
    let mut args = [buffer(&x), buffer(&y), buffer(&[0_i32; 9]), buffer(&[0_i32; 6]), buffer(&[0_i32]), scalar(3_i32)];
    run_on(&text, &mut args);
    let mut shuffled = elements::<i32>(&args[2]);
    shuffled[4] = 0; // Any value may stand there.
    assert_eq!(shuffled, [6, 1, 2, 9, 0, 9, 9, 9, 4]);
    // The greater of both.
    assert_eq!(elements::<i32>(&args[3]), [2, 9, 4, 9, 6, 9]);
    assert_eq!(elements::<i32>(&args[4]), [0b01_0101]);
}

#[test]
fn masked_accesses_touch_only_their_lanes() {
    // Memory ends after five elements; lanes behind are masked off.
    let text = format!(
        "llvm.func @f({}, %n: i32) {{
          %step = \"llvm.intr.stepvector\"() : () -> vector<8xi32>
          %p = llvm.mlir.poison : vector<8xi32>
          %zero = llvm.mlir.constant(0 : i32) : i32
          %b = llvm.insertelement %n, %p[%zero : i32] : vector<8xi32>
          %bound = llvm.shufflevector %b, %p [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xi32>
          %mask = llvm.icmp \"slt\" %step, %bound : vector<8xi32>
          %else = llvm.mlir.constant(dense<-1.0> : vector<8xf32>) : vector<8xf32>
          %x = llvm.intr.masked.load %a1, %mask, %else {{alignment = 4 : i32}} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
          llvm.store %x, %b1 : vector<8xf32>, !llvm.ptr
          %t = llvm.fadd %x, %x : vector<8xf32>
          llvm.intr.masked.store %t, %a1, %mask {{alignment = 4 : i32}} : vector<8xf32>, vector<8xi1> into !llvm.ptr
          %known = llvm.mlir.constant(dense<[true, false, true, true]> : vector<4xi1>) : vector<4xi1>
          %none = llvm.mlir.constant(dense<9.0> : vector<4xf32>) : vector<4xf32>
          %y = llvm.intr.masked.load %a1, %known, %none {{alignment = 4 : i32}} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
          llvm.store %y, %c1 : vector<4xf32>, !llvm.ptr
          %e = \"llvm.intr.masked.expandload\"(%a1, %known, %none) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
          llvm.store %e, %d1 : vector<4xf32>, !llvm.ptr
          \"llvm.intr.masked.compressstore\"(%y, %e1, %known) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
          %i = llvm.mlir.constant(dense<[4, 0, 99, 2]> : vector<4xi64>) : vector<4xi64>
          %ps = llvm.getelementptr %a1[%i] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
          %valid = llvm.mlir.constant(dense<[true, true, false, true]> : vector<4xi1>) : vector<4xi1>
          %g = llvm.intr.masked.gather %ps, %valid, %none {{alignment = 4 : i32}} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
          llvm.store %g, %g1 : vector<4xf32>, !llvm.ptr
          llvm.intr.masked.scatter %none, %ps, %valid {{alignment = 4 : i32}} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
          llvm.return
        }}",
        buffers(&["a", "b", "c", "d", "e", "g"])
    );
    let zeros = |count: usize| buffer(&vec![0.0_f32; count]);
    let mut args =
        [buffer(&[1.0_f32, 2.0, 3.0, 4.0, 5.0]), zeros(8), zeros(4), zeros(4), zeros(4), zeros(4), scalar(3_i32)];
    run_on(&text, &mut args);
    let found: Vec<Vec<f32>> = args[..6].iter().map(elements).collect();
    assert_eq!(found[1], [1.0, 2.0, 3.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    assert_eq!(found[2], [2.0, 9.0, 6.0, 4.0], "a[..3] was doubled");
    assert_eq!(found[3], [2.0, 9.0, 4.0, 6.0]);
    assert_eq!(found[4], [2.0, 6.0, 4.0, 0.0]);
    assert_eq!(found[5], [5.0, 2.0, 9.0, 6.0]);
    assert_eq!(found[0], [9.0, 4.0, 9.0, 4.0, 9.0]);
}

#[test]
fn reductions_take_every_lane() {
    for count in [1_usize, 3, 4, 8, 11, 16] {
        let text = format!(
            "llvm.func @f({}) {{
              %x = llvm.load %a1 : !llvm.ptr -> vector<{count}xi32>
              %y = llvm.sitofp %x : vector<{count}xi32> to vector<{count}xf32>
              %half = llvm.mlir.constant(0.5 : f32) : f32
              %r0 = \"llvm.intr.vector.reduce.add\"(%x) : (vector<{count}xi32>) -> i32
              %r1 = \"llvm.intr.vector.reduce.smax\"(%x) : (vector<{count}xi32>) -> i32
              %r2 = \"llvm.intr.vector.reduce.umin\"(%x) : (vector<{count}xi32>) -> i32
              %r3 = \"llvm.intr.vector.reduce.xor\"(%x) : (vector<{count}xi32>) -> i32
              %s0 = \"llvm.intr.vector.reduce.fadd\"(%half, %y) : (f32, vector<{count}xf32>) -> f32
              %s1 = \"llvm.intr.vector.reduce.fadd\"(%half, %y) <{{fastmathFlags = #llvm.fastmath<reassoc>}}> : (f32, vector<{count}xf32>) -> f32
              %s2 = llvm.intr.vector.reduce.fmaximum(%y) : (vector<{count}xf32>) -> f32
              %s3 = llvm.intr.vector.reduce.fmin(%y) : (vector<{count}xf32>) -> f32
              {} {}
              llvm.return
            }}",
            buffers(&["a", "b", "c"]),
            (0..4).map(|at| format!(
                "%p{at} = llvm.getelementptr %b1[{at}] : (!llvm.ptr) -> !llvm.ptr, i32
                 llvm.store %r{at}, %p{at} : i32, !llvm.ptr\n")).collect::<String>(),
            (0..4).map(|at| format!(
                "%q{at} = llvm.getelementptr %c1[{at}] : (!llvm.ptr) -> !llvm.ptr, f32
                 llvm.store %s{at}, %q{at} : f32, !llvm.ptr\n")).collect::<String>(),
        );
        let x: Vec<i32> = (0..count as i32).map(|at| (at * 7) % 5 - 2).collect();
        let mut args = [buffer(&x), buffer(&[0_i32; 4]), buffer(&[0_f32; 4])];
        run_on(&text, &mut args);
        let sum: i32 = x.iter().sum();
        let (most, least) = (*x.iter().max().unwrap(), *x.iter().min().unwrap());
        let least_unsigned = x.iter().map(|&x| x.cast_unsigned()).min().unwrap().cast_signed();
        let xor = x.iter().fold(0, |a, &b| a ^ b);
        assert_eq!(elements::<i32>(&args[1]), [sum, most, least_unsigned, xor], "{count}");
        assert_eq!(
            elements::<f32>(&args[2]),
            [sum as f32 + 0.5, sum as f32 + 0.5, most as f32, least as f32],
            "{count}"
        );
    }
}

#[test]
fn atomic_operations_tell_what_was_there() {
    let text = format!(
        "llvm.func @f({}) {{
          %two = llvm.mlir.constant(2.0 : f32) : f32
          %old = llvm.atomicrmw fadd %a1, %two seq_cst : !llvm.ptr, f32
          %p = llvm.getelementptr %a1[1] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %old, %p : f32, !llvm.ptr
          %three = llvm.mlir.constant(3 : i32) : i32
          %four = llvm.mlir.constant(4 : i32) : i32
          %was = llvm.atomicrmw max %b1, %three monotonic : !llvm.ptr, i32
          %x = llvm.cmpxchg %b1, %three, %four acq_rel monotonic : !llvm.ptr, i32
          %ok = llvm.extractvalue %x[1] : !llvm.struct<(i32, i1)>
          %w = llvm.zext %ok : i1 to i32
          %q = llvm.getelementptr %b1[1] : (!llvm.ptr) -> !llvm.ptr, i32
          llvm.store %w, %q : i32, !llvm.ptr
          llvm.return
        }}",
        buffers(&["a", "b"])
    );
    let mut args = [buffer(&[1.5_f32, 0.0]), buffer(&[-1_i32, 0])];
    run_on(&text, &mut args);
    assert_eq!((elements::<f32>(&args[0]), elements::<i32>(&args[1])), (vec![3.5, 1.5], vec![4, 1]));
}

#[test]
fn entries_must_be_there_and_fit() {
    let text = "llvm.func @f(%x: i32) -> i32 { llvm.return %x : i32 }";
    let message = try_compile(text, "g", &[], &[], &options()).unwrap_err();
    assert_eq!(message, "error: no function 'g': the module defines f\n");
    let message = try_compile(text, "f", &[ArgType::Scalar(DType::F32)], &[], &options()).unwrap_err();
    let expected = "error: function 'f' was lowered to '!llvm.func<i32 (i32)>', but its signature calls for '!llvm.func<void (f32)>'\n";
    assert_eq!(message, expected);
    let nobody = "llvm.func @nobody_has_this()\nllvm.func @f() { llvm.call @nobody_has_this() : () -> () llvm.return }";
    let message = try_compile(nobody, "f", &[], &[], &options()).unwrap_err();
    assert_eq!(message, "error: nobody has 'nobody_has_this', which the program calls\n");
}

#[test]
fn other_machines_get_objects_but_no_calls() {
    let text = format!(
        "llvm.func @f({}) {{
          %x = llvm.load %a1 : !llvm.ptr -> vector<7xf32>
          %y = llvm.intr.fma(%x, %x, %x) : (vector<7xf32>, vector<7xf32>, vector<7xf32>) -> vector<7xf32>
          %m = llvm.fcmp \"ueq\" %x, %y : vector<7xf32>
          %z = llvm.select %m, %x, %y : vector<7xi1>, vector<7xf32>
          llvm.store %z, %a1 : vector<7xf32>, !llvm.ptr
          llvm.return
        }}",
        buffers(&["a"])
    );
    for (triple, machine) in
        [("x86_64-unknown-linux-gnu", 62), ("aarch64-unknown-linux-gnu", 183), ("riscv64gc-unknown-linux-gnu", 243)]
    {
        let options = TargetOptions { triple: Some(triple.to_owned()), features: Some(Vec::new()), optimize: true };
        let bytes = with_module(&text, |root| object(root, &options)).unwrap();
        assert_eq!((&bytes[..4], bytes[18]), (&b"\x7fELF"[..], machine), "{triple}");
    }
    let other = if cfg!(target_arch = "x86_64") { "aarch64" } else { "x86_64" };
    let options = TargetOptions { triple: Some(format!("{other}-unknown-linux-gnu")), ..options() };
    let message = try_compile("llvm.func @f() { llvm.return }", "f", &[], &[], &options).unwrap_err();
    assert_eq!(message, format!("error: code for target '{other}-unknown-linux-gnu' does not run on this machine\n"));
    let options = TargetOptions { triple: Some("pdp11-dec-unix".to_owned()), ..options };
    let message = with_module("module {}", |root| object(root, &options)).unwrap_err();
    assert!(message.starts_with("error: unknown target 'pdp11-dec-unix'"), "{message}");
}

#[test]
fn complex_numbers_are_constants() {
    let text = format!(
        "llvm.mlir.global constant @same(dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>) : !llvm.array<2 x struct<(f32, f32)>>
        llvm.mlir.global constant @other(dense<[(3.0, 4.0), (5.0, 6.0)]> : tensor<2xcomplex<f32>>) : !llvm.array<2 x struct<(f32, f32)>>
        llvm.func @f({}) {{
          %same = llvm.mlir.addressof @same : !llvm.ptr
          %x = llvm.load %same : !llvm.ptr -> vector<4xf32>
          llvm.store %x, %a1 : vector<4xf32>, !llvm.ptr
          %other = llvm.mlir.addressof @other : !llvm.ptr
          %y = llvm.load %other : !llvm.ptr -> vector<4xf32>
          llvm.store %y, %b1 : vector<4xf32>, !llvm.ptr
          llvm.return
        }}",
        buffers(&["a", "b"])
    );
    let mut args = [buffer(&[0.0_f32; 4]), buffer(&[0.0_f32; 4])];
    run_on(&text, &mut args);
    assert_eq!(elements::<f32>(&args[0]), [1.0, 2.0, 1.0, 2.0]);
    assert_eq!(elements::<f32>(&args[1]), [3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn buffers_that_are_returned_can_be_read() {
    let ty = "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>";
    let text = format!(
        "llvm.func @malloc(i64) -> !llvm.ptr
        llvm.func @f(%n: i64) -> {ty} {{
          %four = llvm.mlir.constant(4 : i64) : i64
          %one = llvm.mlir.constant(1 : i64) : i64
          %zero = llvm.mlir.constant(0 : i64) : i64
          %k = llvm.mlir.constant(2.5 : f32) : f32
          %bytes = llvm.mul %n, %four : i64
          %p = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
          llvm.store %k, %p : f32, !llvm.ptr
          %u = llvm.mlir.poison : {ty}
          %0 = llvm.insertvalue %p, %u[0] : {ty}
          %1 = llvm.insertvalue %p, %0[1] : {ty}
          %2 = llvm.insertvalue %zero, %1[2] : {ty}
          %3 = llvm.insertvalue %one, %2[3, 0] : {ty}
          %4 = llvm.insertvalue %one, %3[4, 0] : {ty}
          llvm.return %4 : {ty}
        }}"
    );
    let module = compile_one(
        &text,
        "f",
        &[ArgType::Scalar(DType::I64)],
        &[ArgType::MemRef { dtype: DType::F32, shape: vec![None] }],
    );
    let live = dl_runtime::alloc::live_bytes();
    let results = module.run("f", &mut [scalar(3_i64)]).unwrap();
    assert_eq!(results, [Array::from_slice(&[1], &[2.5_f32]).unwrap()]);
    assert_eq!(dl_runtime::alloc::live_bytes(), live);
}
