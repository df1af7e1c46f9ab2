//! Models that are wrong: each is an error that names the node and the reason.

use bytes::Bytes;
use dl_ir::Context;
use prost::Message;

use crate::messages::tensor_shape_proto::{Dimension, dimension};
use crate::messages::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, attribute_proto::AttributeType, type_proto,
};
use crate::{Options, import};

fn context() -> Context {
    let mut cx = Context::new();
    cx.register(&dl_arith::Arith);
    cx.register(&dl_cf::Cf);
    cx.register(&dl_func::Func);
    cx.register(&dl_linalg::Linalg);
    cx.register(&dl_math::Math);
    cx.register(&dl_scf::Scf);
    cx.register(&dl_tensor::Tensor);
    cx
}

fn value(name: &str, code: i32, shape: &[i64]) -> ValueInfoProto {
    let dim = |&extent: &i64| Dimension { value: Some(dimension::Value::DimValue(extent)) };
    let shape = TensorShapeProto { dim: shape.iter().map(dim).collect() };
    let tensor = type_proto::Tensor { elem_type: Some(code), shape: Some(shape) };
    let ty = TypeProto { value: Some(type_proto::Value::TensorType(tensor)) };
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(ty) }
}

fn node(op: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    NodeProto {
        input: names(inputs),
        output: names(outputs),
        name: Some(format!("the_{}", op.to_lowercase())),
        op_type: Some(op.to_owned()),
        ..NodeProto::default()
    }
}

/// From `x`, a float tensor of shape 2 × 3, to `y`.
fn graph(nodes: Vec<NodeProto>) -> GraphProto {
    GraphProto {
        node: nodes,
        input: vec![value("x", 1, &[2, 3])],
        output: vec![value("y", 1, &[2, 3])],
        ..GraphProto::default()
    }
}

fn model(graph: GraphProto) -> ModelProto {
    let opset = OperatorSetIdProto { domain: None, version: Some(17) };
    ModelProto { graph: Some(graph), opset_import: vec![opset], ..ModelProto::default() }
}

fn messages_of(model: &ModelProto) -> Vec<String> {
    match import(&context(), "model.onnx", model.encode_to_vec().into(), &Options::default()) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| error.message.clone()).collect(),
    }
}

fn messages(graph: GraphProto) -> Vec<String> {
    messages_of(&model(graph))
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        ints: values.to_vec(),
        r#type: Some(AttributeType::Ints.into()),
        ..AttributeProto::default()
    }
}

#[test]
fn a_sound_model_is_imported() {
    assert_eq!(messages(graph(vec![node("Relu", &["x"], &["y"])])), [""; 0]);
}

#[test]
fn truncated_files_are_no_models() {
    let bytes = Bytes::from(model(graph(vec![node("Relu", &["x"], &["y"])])).encode_to_vec());
    for end in 0..bytes.len() {
        // Some beginnings of a file are messages with less in them; none may do harm.
        let outcome = import(&context(), "model.onnx", bytes.slice(..end), &Options::default());
        assert!(outcome.is_err() || end > 0);
    }
    let errors = import(&context(), "model.onnx", Bytes::from_static(b"\xff\xff\xff"), &Options::default());
    assert!(
        errors.err().is_some_and(|errors| errors.iter().all(|error| error.message.starts_with("not an ONNX model")))
    );
}

#[test]
fn cycles_are_uses_before_definitions() {
    let nodes = vec![node("Add", &["x", "b"], &["a"]), node("Relu", &["a"], &["b"]), node("Relu", &["b"], &["y"])];
    assert_eq!(messages(graph(nodes)), ["node Add ('the_add'): 'b' is not defined before it is used"]);
}

#[test]
fn all_unsupported_operators_are_told() {
    let nodes = vec![node("Mystery", &["x"], &["a"]), node("Relu", &["a"], &["b"]), node("Riddle", &["b"], &["y"])];
    assert_eq!(
        messages(graph(nodes)),
        ["node Mystery ('the_mystery'): unsupported: operator", "node Riddle ('the_riddle'): unsupported: operator"]
    );
}

#[test]
fn names_are_unique() {
    let nodes = vec![node("Relu", &["x"], &["y"]), node("Abs", &["x"], &["y"])];
    assert_eq!(messages(graph(nodes)), ["node Abs ('the_abs'): two values are named 'y'"]);
}

#[test]
fn inputs_and_attributes_are_checked() {
    assert_eq!(messages(graph(vec![node("Add", &["x"], &["y"])])), ["node Add ('the_add'): input 1 is missing"]);
    let mut transpose = node("Transpose", &["x"], &["y"]);
    transpose.attribute.push(ints("perm", &[0, 0]));
    assert_eq!(
        messages(graph(vec![transpose.clone()])),
        ["node Transpose ('the_transpose'): [0, 0] is no permutation of 2 dimensions"]
    );
    transpose.attribute[0].ints = vec![0, 7];
    assert_eq!(
        messages(graph(vec![transpose])),
        ["node Transpose ('the_transpose'): axis 7 is out of range for a tensor of rank 2"]
    );
}

#[test]
fn padding_takes_away_what_there_is() {
    let of = |pads: [i64; 4], mode: &str| {
        let mut pad = node("Pad", &["x", "pads"], &["y"]);
        let (name, s) = (Some("mode".to_owned()), Some(Bytes::copy_from_slice(mode.as_bytes())));
        let ty = Some(AttributeType::String.into());
        pad.attribute.push(AttributeProto { name, s, r#type: ty, ..AttributeProto::default() });
        let mut graph = graph(vec![pad]);
        let (name, dims, int64_data) = (Some("pads".to_owned()), vec![4], pads.to_vec());
        graph.initializer.push(TensorProto { name, dims, data_type: Some(7), int64_data, ..TensorProto::default() });
        messages(graph)
    };
    assert_eq!(of([-3, 0, 3, 0], "constant"), [""; 0]);
    assert_eq!(of([-2, 0, -1, 0], "constant"), ["node Pad ('the_pad'): padding takes away more than there is"]);
    assert_eq!(of([-2, 0, 2, 0], "edge"), ["node Pad ('the_pad'): padding with elements of a tensor that has none"]);
}

/// An initializer `w` of this shape with these bytes, added to `x`.
fn with_initializer(dims: Vec<i64>, code: i32, raw: &'static [u8]) -> GraphProto {
    let mut graph = graph(vec![node("Add", &["x", "w"], &["y"])]);
    let (name, data_type, raw_data) = (Some("w".to_owned()), Some(code), Some(Bytes::from_static(raw)));
    graph.initializer.push(TensorProto { name, dims, data_type, raw_data, ..TensorProto::default() });
    graph
}

#[test]
fn sizes_are_checked_before_anything_is_allocated() {
    let of = |dims: &[i64]| messages(with_initializer(dims.to_vec(), 1, b"\0\0\0\0"));
    assert_eq!(of(&[1]), [""; 0]);
    assert_eq!(of(&[-1]), ["initializer 'w': negative extent -1 in shape [-1]"]);
    assert_eq!(of(&[2]), ["initializer 'w': a tensor of float and shape [2] takes 8 bytes, but there are 4"]);
    let huge = 1 << 62;
    assert_eq!(of(&[huge, 4]), [format!("initializer 'w': a tensor of shape [{huge}, 4] is larger than memory")]);
    let of_4_bits = messages(with_initializer(vec![3], 22, b"\x21"));
    assert_eq!(of_4_bits, ["initializer 'w': a tensor of int4 and shape [3] takes 2 bytes, but there are 1"]);
    let nodes = vec![node("Relu", &["x"], &["y"])];
    let input = vec![value("x", 1, &[-5])];
    assert_eq!(messages(GraphProto { input, ..graph(nodes) }), ["input 'x': negative extent -5"]);
}

#[test]
fn element_types_are_checked() {
    assert_eq!(messages(with_initializer(vec![1], 8, b"")), ["initializer 'w': unsupported: element type string"]);
    assert_eq!(
        messages(with_initializer(vec![1], 6, b"\0\0\0\0")),
        ["node Add ('the_add'): expected inputs of one element type, but got float and int32"]
    );
}

#[test]
fn external_data_stays_in_the_folder() {
    let of = |path: &str| {
        let mut graph = with_initializer(vec![1], 1, b"");
        let entry = StringStringEntryProto { key: Some("location".to_owned()), value: Some(path.to_owned()) };
        graph.initializer[0].external_data.push(entry);
        graph.initializer[0].data_location = Some(1);
        graph.initializer[0].raw_data = None;
        let open = |_: &str| Ok(Bytes::from_static(b"\0\0\0\0"));
        let options = Options { external: Some(&open), ..Options::default() };
        let outcome = import(&context(), "model.onnx", model(graph).encode_to_vec().into(), &options);
        outcome.err().map(|errors| errors.iter().map(|error| error.message.clone()).collect::<String>())
    };
    assert_eq!(of("weights/w.bin"), None);
    for path in ["../w.bin", "/etc/passwd", "a/../../w.bin", "..\\w.bin", "C:w.bin"] {
        let expected = format!("initializer 'w': external data: '{path}' is not in the folder of the model");
        assert_eq!(of(path), Some(expected));
    }
}

#[test]
fn functions_that_call_themselves_end() {
    let call = NodeProto { domain: Some("own".to_owned()), ..node("F", &["x"], &["y"]) };
    let function = FunctionProto {
        name: Some("F".to_owned()),
        domain: Some("own".to_owned()),
        input: vec!["x".to_owned()],
        output: vec!["y".to_owned()],
        node: vec![call.clone()],
        ..FunctionProto::default()
    };
    let model = ModelProto { functions: vec![function], ..model(graph(vec![call])) };
    let messages = messages_of(&model);
    assert!(messages.iter().any(|message| message.contains("nested more than 64 deep")), "{messages:?}");
}

#[test]
fn subgraphs_may_not_nest_without_end() {
    let mut inner = graph(vec![node("Relu", &["x"], &["y"])]);
    for _ in 0..40 {
        let mut branch = node("If", &["x"], &["y"]);
        for name in ["then_branch", "else_branch"] {
            let g = Some(GraphProto { input: Vec::new(), ..inner.clone() });
            branch.attribute.push(AttributeProto { name: Some(name.to_owned()), g, ..AttributeProto::default() });
        }
        branch.attribute.truncate(1);
        inner = graph(vec![branch]);
    }
    let messages = messages(inner);
    assert!(messages.len() == 1 && messages[0].starts_with("not an ONNX model"), "{messages:?}");
}

/// A loop that says of its one list of results that they have this shape, when each is one number.
fn loop_with_results_of(shape: &[i64]) -> Vec<String> {
    let body = GraphProto {
        node: vec![node("Identity", &["go"], &["more"]), node("Identity", &["i"], &["number"])],
        input: vec![value("i", 7, &[]), value("go", 9, &[])],
        output: vec![value("more", 9, &[]), value("number", 7, shape)],
        ..GraphProto::default()
    };
    let mut repeat = node("Loop", &["count", ""], &["y"]);
    let name = Some("body".to_owned());
    repeat.attribute.push(AttributeProto { name, g: Some(body), ..AttributeProto::default() });
    let mut graph = graph(vec![repeat]);
    graph.output = vec![value("y", 7, &[3])];
    let (name, int64_data) = (Some("count".to_owned()), vec![3]);
    graph.initializer.push(TensorProto { name, data_type: Some(7), int64_data, ..TensorProto::default() });
    messages(graph)
}

#[test]
fn results_of_iterations_are_as_the_graph_says() {
    assert_eq!(loop_with_results_of(&[]), [""; 0]);
    let expected = "node Loop ('the_loop'): a result of an iteration has another shape than the graph says";
    assert_eq!(loop_with_results_of(&[2]), [expected]);
}

/// Loops in one another, each of which imports its body more than once.
#[test]
fn loops_may_not_take_ages() {
    let mut nodes = vec![node("Identity", &["go"], &["y"])];
    for _ in 0..20 {
        let body = GraphProto { node: nodes, output: vec![value("y", 9, &[])], ..GraphProto::default() };
        let body = GraphProto { input: vec![value("i", 7, &[]), value("go", 9, &[])], ..body };
        let mut repeat = node("Loop", &["", "go"], &[]);
        let name = Some("body".to_owned());
        repeat.attribute.push(AttributeProto { name, g: Some(body), ..AttributeProto::default() });
        nodes = vec![repeat, node("Identity", &["go"], &["y"])];
    }
    let graph = GraphProto { input: vec![value("go", 9, &[])], output: vec![value("y", 9, &[])], ..graph(nodes) };
    assert_eq!(messages(graph), [""; 0]);
}
