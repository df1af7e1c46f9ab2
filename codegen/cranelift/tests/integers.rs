//! Integers of every width against arithmetic on 128 bits, as scalars and in lanes.

mod support;

use support::{Numbers, buffer, buffers, elements, run_on, scalar};

/// Numbers that a program computes from two others.
fn each_pair(width: u32, body: &str, pairs: &[(u64, u64)]) -> Vec<u64> {
    let convert = |name: &str, from: &str| {
        if width == 64 {
            format!("%{name} = llvm.bitcast %{from} : i64 to i64\n")
        } else {
            format!("%{name} = llvm.trunc %{from} : i64 to i{width}\n")
        }
    };
    let back =
        if width == 64 { "llvm.bitcast %r : i64 to i64".into() } else { format!("llvm.zext %r : i{width} to i64") };
    let text = format!(
        "llvm.func @f({}, %n: i64) {{
          %zero = llvm.mlir.constant(0 : i64) : i64
          %one = llvm.mlir.constant(1 : i64) : i64
          llvm.br ^head(%zero : i64)
        ^head(%i: i64):
          %more = llvm.icmp \"slt\" %i, %n : i64
          llvm.cond_br %more, ^body, ^done
        ^body:
          %pa = llvm.getelementptr %a1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %pb = llvm.getelementptr %b1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %pc = llvm.getelementptr %c1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %wa = llvm.load %pa : !llvm.ptr -> i64
          %wb = llvm.load %pb : !llvm.ptr -> i64
          {} {}
          {}
          %w = {back}
          llvm.store %w, %pc : i64, !llvm.ptr
          %next = llvm.add %i, %one : i64
          llvm.br ^head(%next : i64)
        ^done:
          llvm.return
        }}",
        buffers(&["a", "b", "c"]),
        convert("x", "wa"),
        convert("y", "wb"),
        body.replace("iN", &format!("i{width}")),
    );
    let (a, b): (Vec<u64>, Vec<u64>) = pairs.iter().copied().unzip();
    let mut args = [buffer(&a), buffer(&b), buffer(&vec![0_u64; a.len()]), scalar(a.len() as i64)];
    run_on(&text, &mut args);
    elements(&args[2])
}

/// The low `width` bits, and what they are with a sign.
fn parts(width: u32, value: u64) -> (u128, i128) {
    let kept = u128::from(value) & (u128::MAX >> (128 - width));
    (kept, (kept << (128 - width)).cast_signed() >> (128 - width))
}

type Exact = fn(u32, u128, i128, u128, i128) -> Option<u128>;

/// Operations, and what they must give; none where they are undefined.
const BINARY: &[(&str, Exact)] = &[
    ("%r = llvm.add %x, %y : iN", |_, a, _, b, _| Some(a.wrapping_add(b))),
    ("%r = llvm.sub %x, %y : iN", |_, a, _, b, _| Some(a.wrapping_sub(b))),
    ("%r = llvm.mul %x, %y : iN", |_, a, _, b, _| Some(a.wrapping_mul(b))),
    ("%r = llvm.xor %x, %y : iN", |_, a, _, b, _| Some(a ^ b)),
    ("%r = llvm.intr.smin(%x, %y) : (iN, iN) -> iN", |_, _, a, _, b| Some(a.min(b).cast_unsigned())),
    ("%r = llvm.intr.umax(%x, %y) : (iN, iN) -> iN", |_, a, _, b, _| Some(a.max(b))),
    ("%r = llvm.intr.uadd.sat(%x, %y) : (iN, iN) -> iN", |w, a, _, b, _| Some((a + b).min((1 << w) - 1))),
    ("%r = llvm.intr.usub.sat(%x, %y) : (iN, iN) -> iN", |_, a, _, b, _| Some(a.saturating_sub(b))),
    ("%r = llvm.intr.sadd.sat(%x, %y) : (iN, iN) -> iN", |w, _, a, _, b| {
        Some((a + b).clamp(-(1 << (w - 1)), (1 << (w - 1)) - 1).cast_unsigned())
    }),
    ("%r = llvm.intr.ssub.sat(%x, %y) : (iN, iN) -> iN", |w, _, a, _, b| {
        Some((a - b).clamp(-(1 << (w - 1)), (1 << (w - 1)) - 1).cast_unsigned())
    }),
    ("%r = \"llvm.intr.abs\"(%x) <{is_int_min_poison = false}> : (iN) -> iN", |_, _, a, _, _| Some(a.unsigned_abs())),
    ("%r = llvm.intr.ctpop(%x) : (iN) -> iN", |_, a, _, _, _| Some(a.count_ones().into())),
    ("%r = \"llvm.intr.ctlz\"(%x) <{is_zero_poison = false}> : (iN) -> iN", |w, a, _, _, _| {
        Some(u128::from(a.leading_zeros() - (128 - w)))
    }),
    ("%r = \"llvm.intr.cttz\"(%x) <{is_zero_poison = false}> : (iN) -> iN", |w, a, _, _, _| {
        Some(a.trailing_zeros().min(w).into())
    }),
    ("%r = llvm.intr.bitreverse(%x) : (iN) -> iN", |w, a, _, _, _| Some(a.reverse_bits() >> (128 - w))),
    ("%r = llvm.intr.fshl(%x, %y, %y) : (iN, iN, iN) -> iN", |w, a, _, b, _| {
        let by = b % u128::from(w);
        Some(if by == 0 { a } else { (a << by) | (b >> (u128::from(w) - by)) })
    }),
    ("%r = llvm.intr.fshr(%x, %y, %x) : (iN, iN, iN) -> iN", |w, a, _, b, _| {
        let by = a % u128::from(w);
        Some(if by == 0 { b } else { (b >> by) | (a << (u128::from(w) - by)) })
    }),
    ("%r = llvm.shl %x, %y : iN", |w, a, _, b, _| (b < w.into()).then(|| a << b)),
    ("%r = llvm.lshr %x, %y : iN", |w, a, _, b, _| (b < w.into()).then(|| a >> b)),
    ("%r = llvm.ashr %x, %y : iN", |w, _, a, b, _| (b < w.into()).then(|| (a >> b).cast_unsigned())),
];

/// A truth about two integers, each without a sign and with one.
type Truth<'f> = &'f dyn Fn(u128, i128, u128, i128) -> bool;

/// Comparisons.
const PREDICATES: &[(&str, Truth<'_>)] = &[
    ("eq", &|a, _, b, _| a == b),
    ("ne", &|a, _, b, _| a != b),
    ("slt", &|_, a, _, b| a < b),
    ("sle", &|_, a, _, b| a <= b),
    ("sgt", &|_, a, _, b| a > b),
    ("sge", &|_, a, _, b| a >= b),
    ("ult", &|a, _, b, _| a < b),
    ("ule", &|a, _, b, _| a <= b),
    ("ugt", &|a, _, b, _| a > b),
    ("uge", &|a, _, b, _| a >= b),
];

fn pairs(numbers: &mut Numbers, width: u32) -> Vec<(u64, u64)> {
    // Half of the second numbers are small, so that shifts by them are defined.
    let small = |number: u64, at: usize| if at.is_multiple_of(2) { number % u64::from(width) } else { number };
    (0..48).map(|at| (numbers.edgy(), small(numbers.edgy(), at))).collect()
}

#[test]
fn operations_on_every_width_are_exact() {
    let mut numbers = Numbers(1);
    for width in [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64] {
        let pairs = pairs(&mut numbers, width);
        for (body, exact) in BINARY {
            let results = each_pair(width, body, &pairs);
            for (&(a, b), result) in pairs.iter().zip(results) {
                let ((ua, sa), (ub, sb)) = (parts(width, a), parts(width, b));
                let Some(expected) = exact(width, ua, sa, ub, sb) else { continue };
                assert_eq!(u128::from(result), parts(width, expected as u64).0, "i{width} {body} of {ua:#x}, {ub:#x}");
            }
        }
    }
}

#[test]
fn quotients_and_remainders_are_exact() {
    let mut numbers = Numbers(2);
    for width in [2, 8, 13, 16, 32, 37, 64] {
        // No divisor is zero or -1, for which there may be no quotient.
        let divisor =
            |number: u64| if parts(width, number).1 == 0 || parts(width, number).1 == -1 { 1 } else { number };
        let pairs: Vec<(u64, u64)> = (0..32).map(|_| (numbers.edgy(), divisor(numbers.edgy()))).collect();
        let exact: &[(&str, Exact)] = &[
            ("%r = llvm.sdiv %x, %y : iN", |_, _, a, _, b| Some((a / b).cast_unsigned())),
            ("%r = llvm.srem %x, %y : iN", |_, _, a, _, b| Some((a % b).cast_unsigned())),
            ("%r = llvm.udiv %x, %y : iN", |_, a, _, b, _| Some(a / b)),
            ("%r = llvm.urem %x, %y : iN", |_, a, _, b, _| Some(a % b)),
        ];
        for (body, exact) in exact {
            let results = each_pair(width, body, &pairs);
            for (&(a, b), result) in pairs.iter().zip(results) {
                let ((ua, sa), (ub, sb)) = (parts(width, a), parts(width, b));
                let expected = exact(width, ua, sa, ub, sb).unwrap();
                assert_eq!(u128::from(result), parts(width, expected as u64).0, "i{width} {body} of {ua:#x}, {ub:#x}");
            }
        }
    }
}

#[test]
fn comparisons_and_overflow_are_exact() {
    let mut numbers = Numbers(3);
    for width in [1, 5, 8, 16, 24, 32, 40, 64] {
        let pairs = pairs(&mut numbers, width);
        for (predicate, exact) in PREDICATES {
            let extend = if width == 1 { "llvm.select %c, %c, %c : i1, i1" } else { "llvm.zext %c : i1 to iN" };
            let body = format!("%c = llvm.icmp \"{predicate}\" %x, %y : iN\n %r = {extend}");
            for (&(a, b), result) in pairs.iter().zip(each_pair(width, &body, &pairs)) {
                let ((ua, sa), (ub, sb)) = (parts(width, a), parts(width, b));
                assert_eq!(result == 1, exact(ua, sa, ub, sb), "i{width} {predicate} of {ua:#x}, {ub:#x}");
            }
        }
        if width == 1 {
            continue;
        }
        let range = -(1_i128 << (width - 1))..(1_i128 << (width - 1));
        let overflows: &[(&str, Truth<'_>)] = &[
            ("uadd", &|a, _, b, _| a + b >= 1 << width),
            ("usub", &|a, _, b, _| a < b),
            ("umul", &|a, _, b, _| a * b >= 1 << width),
            ("sadd", &|_, a, _, b| !range.contains(&(a + b))),
            ("ssub", &|_, a, _, b| !range.contains(&(a - b))),
            ("smul", &|_, a, _, b| !range.contains(&(a * b))),
        ];
        for (name, exact) in overflows {
            let body = format!(
                "%o = \"llvm.intr.{name}.with.overflow\"(%x, %y) : (iN, iN) -> !llvm.struct<(iN, i1)>
                 %c = llvm.extractvalue %o[1] : !llvm.struct<(iN, i1)>
                 %r = llvm.zext %c : i1 to iN"
            );
            for (&(a, b), result) in pairs.iter().zip(each_pair(width, &body, &pairs)) {
                let ((ua, sa), (ub, sb)) = (parts(width, a), parts(width, b));
                assert_eq!(result == 1, exact(ua, sa, ub, sb), "i{width} {name} of {ua:#x}, {ub:#x}");
            }
        }
    }
}

#[test]
fn wide_integers_go_through_the_runtime() {
    // (a * 2^64 + b) / b and its remainder, whose low words are told.
    let body = "%wx = llvm.zext %x : iN to i128
        %wy = llvm.zext %y : iN to i128
        %s = llvm.mlir.constant(64 : i128) : i128
        %h = llvm.shl %wx, %s : i128
        %v = llvm.or %h, %wy : i128
        %q = llvm.OP %v, %wy : i128
        %r = llvm.trunc %q : i128 to iN";
    let pairs = [(7, 3), (u64::MAX, 1 << 63), (1 << 40, 12345), (5, u64::MAX)];
    for (op, exact) in [("udiv", u128::wrapping_div as fn(u128, u128) -> u128), ("urem", u128::wrapping_rem)] {
        let results = each_pair(64, &body.replace("OP", op), &pairs);
        for (&(a, b), result) in pairs.iter().zip(results) {
            let value = u128::from(a) << 64 | u128::from(b);
            assert_eq!(result, exact(value, b.into()) as u64, "{op} of {value:#x}, {b:#x}");
        }
    }
}

/// The operation on vectors of `count` lanes is that on each lane.
#[test]
fn lanes_are_as_scalars() {
    let mut numbers = Numbers(4);
    for (width, size) in [(8, 1), (16, 2), (32, 4), (64, 8)] {
        for count in [1_usize, 2, 3, 4, 7, 16, 33] {
            let random: Vec<u64> = (0..2 * count).map(|_| numbers.edgy()).collect();
            for (body, exact) in BINARY {
                let vector = body.replace("iN", &format!("vector<{count}xi{width}>"));
                let text = format!(
                    "llvm.func @f({}) {{
                      %x = llvm.load %a1 : !llvm.ptr -> vector<{count}xi{width}>
                      %y = llvm.load %b1 : !llvm.ptr -> vector<{count}xi{width}>
                      {vector}
                      llvm.store %r, %c1 : vector<{count}xi{width}>, !llvm.ptr
                      llvm.return
                    }}",
                    buffers(&["a", "b", "c"])
                );
                let bytes = |values: &[u64]| {
                    values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect::<Vec<u8>>()
                };
                let (a, b) = random.split_at(count);
                let b: Vec<u64> =
                    b.iter().enumerate().map(|(at, &b)| if at.is_multiple_of(2) { b % width } else { b }).collect();
                // A byte after the last lane must stay as it is.
                let mut args = [buffer(&bytes(a)), buffer(&bytes(&b)), buffer(&vec![0xa5_u8; count * size + 1])];
                run_on(&text, &mut args);
                let result: Vec<u8> = elements(&args[2]);
                assert_eq!(result[count * size], 0xa5, "{vector} writes too much");
                for (lane, found) in result[..count * size].chunks(size).enumerate() {
                    let ((ua, sa), (ub, sb)) = (parts(width as u32, a[lane]), parts(width as u32, b[lane]));
                    let Some(expected) = exact(width as u32, ua, sa, ub, sb) else { continue };
                    assert_eq!(
                        found,
                        &(expected as u64).to_le_bytes()[..size],
                        "lane {lane} of {vector}: {ua:#x}, {ub:#x}"
                    );
                }
            }
        }
    }
}

#[test]
fn lanes_change_their_width() {
    let mut numbers = Numbers(5);
    for count in [1_usize, 3, 4, 8, 17] {
        let values: Vec<u64> = (0..count).map(|_| numbers.next()).collect();
        for (narrow, size) in [(8, 1), (16, 2), (32, 4)] {
            for (op, signed) in [("sext", true), ("zext", false)] {
                let text = format!(
                    "llvm.func @f({}) {{
                      %x = llvm.load %a1 : !llvm.ptr -> vector<{count}xi64>
                      %n = llvm.trunc %x : vector<{count}xi64> to vector<{count}xi{narrow}>
                      llvm.store %n, %b1 : vector<{count}xi{narrow}>, !llvm.ptr
                      %m = llvm.load %b1 : !llvm.ptr -> vector<{count}xi{narrow}>
                      %w = llvm.{op} %m : vector<{count}xi{narrow}> to vector<{count}xi64>
                      llvm.store %w, %c1 : vector<{count}xi64>, !llvm.ptr
                      llvm.return
                    }}",
                    buffers(&["a", "b", "c"])
                );
                let mut args = [buffer(&values), buffer(&vec![0_u8; count * size]), buffer(&vec![0_u64; count])];
                run_on(&text, &mut args);
                let expected = |value: &u64| {
                    let (kept, with_sign) = parts(narrow, *value);
                    if signed { with_sign as u64 } else { kept as u64 }
                };
                assert_eq!(
                    elements::<u64>(&args[2]),
                    values.iter().map(expected).collect::<Vec<_>>(),
                    "{op} {count} {narrow}"
                );
            }
        }
    }
}
