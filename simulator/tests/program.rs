//! Programs: both outside forms, and what is not one.

mod support;

use dl_simulator::machine::MatrixTypes;
use dl_simulator::program::{
    Address, Base, BinaryOp, Buffer, BufferKind, Dma, Instruction, Matmul, Op, Padding, Pool, PoolOp, Queue, ReduceOp,
    Requantize, Scale, Strided, Tile, Token, UnaryOp, Vector, VectorOp,
};
use dl_simulator::{ElementType, Program};
use proptest::prelude::*;
use proptest::sample::select;

fn element() -> impl Strategy<Value = ElementType> {
    select(ElementType::ALL.to_vec())
}

fn address() -> impl Strategy<Value = Address> {
    let base = prop_oneof![(0_u32..2).prop_map(Base::Memory), (0_u32..2).prop_map(Base::Buffer)];
    (base, any::<u64>()).prop_map(|(base, offset)| Address { base, offset })
}

fn tile() -> impl Strategy<Value = Tile> {
    (address(), any::<[u64; 2]>()).prop_map(|(address, strides)| Tile { address, strides })
}

fn strided() -> impl Strategy<Value = Strided> {
    (address(), any::<[u64; 3]>()).prop_map(|(address, strides)| Strided { address, strides })
}

fn dma() -> impl Strategy<Value = Op> {
    let padding = (any::<[u32; 3]>(), any::<[u32; 3]>(), any::<u32>()).prop_map(|(before, after, value)| Padding {
        before,
        after,
        value,
    });
    let queue = select(vec![Queue::Load, Queue::Store]);
    (queue, element(), any::<[u32; 3]>(), strided(), strided(), prop::option::of(padding)).prop_map(
        |(queue, element, shape, destination, source, padding)| {
            Op::Dma(Dma { queue, element, shape, destination, source, padding })
        },
    )
}

fn matmul() -> impl Strategy<Value = Op> {
    use ElementType::{BF16, F8E4M3FN, F32, I8, I32, U8};
    let types = select(vec![(I8, I8, I32), (U8, I8, I32), (BF16, BF16, F32), (F8E4M3FN, F32, F32)]);
    let operands = (address(), address(), address(), any::<[u64; 3]>());
    (types, any::<[u32; 3]>(), operands, any::<[bool; 2]>()).prop_map(
        |((lhs_type, rhs_type, accumulator), [m, n, k], (lhs, rhs, sums, strides), [accumulate, resident])| {
            let types = MatrixTypes { lhs: lhs_type, rhs: rhs_type, accumulator };
            let [lhs_stride, rhs_stride, sums_stride] = strides;
            Op::Matmul(Matmul {
                types,
                m,
                n,
                k,
                lhs,
                lhs_stride,
                rhs,
                rhs_stride,
                sums,
                sums_stride,
                accumulate,
                resident,
            })
        },
    )
}

fn vector_op() -> impl Strategy<Value = VectorOp> {
    let finite = any::<f32>().prop_filter("scales are finite", |scale| scale.is_finite());
    let scale = prop_oneof![
        any::<(i32, i32)>().prop_map(|(multiplier, shift)| Scale::Fixed { multiplier, shift }),
        finite.prop_map(Scale::Float),
        Just(Scale::FixedPerColumn),
        Just(Scale::FloatPerColumn),
    ];
    let requantize = (element(), element(), any::<i32>(), scale).prop_map(|(from, to, zero_point, scale)| Requantize {
        from,
        to,
        zero_point,
        scale,
    });
    let pool = (select(PoolOp::ALL.to_vec()), element(), any::<[[u32; 2]; 3]>())
        .prop_map(|(op, element, [image, window, steps])| Pool { op, element, image, window, steps });
    prop_oneof![
        (select(BinaryOp::ALL.to_vec()), element()).prop_map(|(op, element)| VectorOp::Binary(op, element)),
        (select(UnaryOp::ALL.to_vec()), element(), element()).prop_map(|(op, from, to)| VectorOp::Unary(op, from, to)),
        (select(ReduceOp::ALL.to_vec()), element(), element())
            .prop_map(|(op, from, to)| VectorOp::Reduce(op, from, to)),
        (any::<bool>(), requantize).prop_map(|(narrow, r)| if narrow {
            VectorOp::Requantize(r)
        } else {
            VectorOp::Dequantize(r)
        }),
        pool.prop_map(VectorOp::Pool),
    ]
}

fn vector() -> impl Strategy<Value = Op> {
    (vector_op(), any::<[u32; 2]>(), tile(), tile(), tile()).prop_map(
        |(op, [rows, columns], destination, first, second)| {
            let second = op.has_second().then_some(second);
            Op::Vector(Vector { op, rows, columns, destination, first, second })
        },
    )
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let op = prop_oneof![dma(), matmul(), vector(), Just(Op::Wait), Just(Op::Barrier)];
    let token = any::<u32>().prop_map(Token);
    (op, prop::option::of(token.clone()), prop::collection::vec(token, 0..3), prop::option::of(0_u32..2))
        .prop_map(|(op, signals, after, location)| Instruction { op, signals, after, location })
}

fn programs() -> impl Strategy<Value = Program> {
    let cores = prop::collection::vec(prop::collection::vec(instruction(), 0..6), 0..3);
    let constant = prop::collection::vec(any::<u8>(), 0..20);
    (cores, constant, element()).prop_map(|(cores, data, element)| {
        let size = data.len() as u64;
        let buffer = |name: &str, kind, element, shape| Buffer { name: name.into(), kind, element, shape };
        let mut program = Program {
            name: "p".into(),
            memories: vec!["sp".into(), "acc".into()],
            buffers: vec![
                buffer("x", BufferKind::Input, element, vec![]),
                buffer("c", BufferKind::Constant(data), ElementType::I8, vec![1, size]),
            ],
            locations: vec!["a \"file\" in C:\\x.mlir:3:4".into(), "other".into()],
            cores,
        };
        // In text, places are listed in the order in which they are used.
        let used = |program: &Program, index| program.cores.iter().flatten().any(|one| one.location == Some(index));
        let first = program.cores.iter().flatten().find_map(|instruction| instruction.location);
        if first != Some(0) || !used(&program, 1) {
            program.locations.truncate(1);
            program.cores.iter_mut().flatten().for_each(|one| one.location = one.location.map(|_| 0));
            if first.is_none() {
                program.locations.clear();
            }
        }
        program
    })
}

proptest! {
    #[test]
    fn both_forms_round_trip(program in programs()) {
        prop_assert_eq!(&Program::from_bytes(&program.to_bytes()).unwrap(), &program);
        let text = program.to_string();
        let again = Program::from_text(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again, &program, "{}", text);
    }

    /// No part of a program is one, and no change of a byte makes the loader panic.
    #[test]
    fn malformed_files_are_errors(program in programs(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = program.to_bytes();
        let at = at.index(bytes.len());
        prop_assert!(Program::from_bytes(&bytes[..at]).is_err());
        bytes[at] = byte;
        if let Ok(changed) = Program::from_bytes(&bytes) {
            prop_assert_eq!(Program::from_bytes(&changed.to_bytes()).unwrap(), changed);
        }
    }
}

#[test]
fn the_layout_is_as_documented() {
    let program = support::program(
        "program p\nmemory sp\nbuffer x input i8[16]\ncore 0\n  load t0 i8[1x1x16] sp+0[16,16,1] from x+0[16,16,1]\n  wait after t0\n",
    );
    let expected: &[u8] = &[
        b'D', b'L', b'A', b'C', 1, 0, // magic, version
        1, b'p', // name
        1, 2, b's', b'p', // memories
        0,    // locations
        1, 1, b'x', 0, 0, 1, 16, // buffers: name, kind, element type, shape
        1, 2, // cores, instructions
        0x40, 0, 0, // load with a token: t0, after nothing
        0, 1, 1, 16, // i8[1x1x16]
        1, 0, 16, 16, 1, // sp+0[16,16,1]
        0, 0, 16, 16, 1, // x+0[16,16,1]
        0, // no padding
        4, 1, 0, // wait after t0
    ];
    assert_eq!(program.to_bytes(), expected);
}

#[test]
fn loaders_say_what_is_wrong() {
    let error = |bytes: &[u8]| Program::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error(b"ELF!"), "offset 0: not an accelerator program: it does not begin with 'DLAC'");
    assert_eq!(error(b"DLAC\x02\x00"), "offset 6: unsupported: version 2, expected 1");
    assert_eq!(error(b"DLAC\x01\x00\x01p\xff\xff\xff\xff\x0f"), "offset 13: truncated: a list of 4294967295 entries");
    assert_eq!(error(b"DLAC\x01\x00\x01p\x00\x00\x01\x01x\x00\x63"), "offset 15: unknown element type 99");
    assert_eq!(error(b"DLAC\x01\x00\x01p\x00\x00\x00\x00\x00"), "offset 12: expected the end of the program");
}

#[test]
fn texts_say_what_is_wrong() {
    let error = |line: &str| {
        let text = format!("program p\nmemory sp\nbuffer x input i8[16]\ncore 0\n  {line}\n");
        Program::from_text(&text).unwrap_err().to_string()
    };
    assert_eq!(error("lood"), "5:3: error: unknown instruction 'lood', did you mean 'load'?");
    assert_eq!(
        error("load i8[1x1x16] sq+0[16,16,1] from x+0[16,16,1]"),
        "5:32: error: unknown memory or buffer 'sq', did you mean 'sp'?"
    );
    assert_eq!(error("matmul i8*f32->i32"), "5:10: error: expected types, as 'i8*i8->i32', but got 'i8*f32->i32'");
    assert_eq!(error("wait after"), "5:13: error: expected a token, as 't3'");
    assert_eq!(error("barrier now"), "5:11: error: expected the end of the line, but got 'now'");
    assert_eq!(error("wait at \"x"), "5:11: error: expected a text that ends with '\"'");
    assert_eq!(Program::from_text("").unwrap_err().to_string(), "1:1: error: expected 'program NAME'");
}
