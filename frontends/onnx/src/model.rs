//! From bytes to messages, and from `TensorProto` to constants.

use bytes::Bytes;
use dl_ir::location::LocData;
use dl_ir::{Context, Diagnostic, Diagnostics, Loc};
use prost::Message;
use rustc_hash::FxHashMap;

use crate::OpenExternal;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::literal::{Literal, count};
use crate::messages::tensor_proto::DataLocation;
use crate::messages::{FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto};

/// The last opset of the default domain that operators are known of.
pub(crate) const MAX_OPSET: i64 = 22;
/// The first one. Few operators are known of opsets before 7: those that have not changed since.
pub(crate) const MIN_OPSET: i64 = 1;

/// A model as it was read.
pub(crate) struct Model {
    /// The location of the file.
    pub(crate) loc: Loc,
    /// Its messages.
    pub(crate) graph: GraphProto,
    /// The opset of each domain.
    pub(crate) opsets: FxHashMap<String, i64>,
    /// Local functions by domain and name.
    pub(crate) functions: FxHashMap<(String, String), FunctionProto>,
}

/// Reads the messages of a model.
///
/// # Errors
/// That the bytes are no model, or one of an opset that is not known.
pub(crate) fn read(cx: &Context, name: &str, bytes: Bytes) -> Result<Model, Diagnostics> {
    let loc = cx.intern_loc(LocData::Name { name: cx.ident(name), child: Loc::UNKNOWN });
    let error = |message: String| Diagnostics::from(Diagnostic::error(loc, message));
    let model =
        ModelProto::decode(bytes).map_err(|error| Diagnostic::error(loc, format!("not an ONNX model: {error}")))?;
    let graph = model.graph.ok_or_else(|| error("not an ONNX model: it has no graph".to_owned()))?;
    let opsets = opsets(&model.opset_import);
    let version = opsets.get("").copied().unwrap_or(0);
    let uses_default_domain = graph.node.iter().any(|node| domain(node).is_empty());
    if (version != 0 || uses_default_domain) && !(MIN_OPSET..=MAX_OPSET).contains(&version) {
        let message = format!("unsupported: opset {version}; expected one from {MIN_OPSET} to {MAX_OPSET}");
        return Err(error(message));
    }
    let mut functions = FxHashMap::default();
    for function in model.functions {
        let key = (function.domain().to_owned(), function.name().to_owned());
        if !function.overload().is_empty() {
            return Err(error(format!("unsupported: function '{}' with overloads", function.name())));
        }
        if functions.insert(key, function).is_some() {
            return Err(error("two functions have the same name".to_owned()));
        }
    }
    Ok(Model { loc, graph, opsets, functions })
}

/// The operators that nodes name, each once.
///
/// # Errors
/// That the bytes are no model.
pub(crate) fn used_operators(bytes: Bytes) -> Outcome<Vec<String>> {
    let model = ModelProto::decode(bytes).map_err(|error| fault!("not an ONNX model: {error}"))?;
    let mut names: Vec<String> = Vec::new();
    for node in model.graph.iter().flat_map(|graph| &graph.node) {
        let name = match domain(node) {
            "" => node.op_type().to_owned(),
            domain => format!("{domain}.{}", node.op_type()),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The names of the inputs without a value of their own.
///
/// # Errors
/// That the bytes are no model.
pub(crate) fn input_names(bytes: Bytes) -> Outcome<Vec<String>> {
    let model = ModelProto::decode(bytes).map_err(|error| fault!("not an ONNX model: {error}"))?;
    let graph = model.graph.unwrap_or_default();
    let has_value = |name: &str| graph.initializer.iter().any(|tensor| tensor.name() == name);
    let names = graph.input.iter().map(|info| info.name().to_owned());
    Ok(names.filter(|name| !has_value(name)).collect())
}

/// The opset of each domain.
pub(crate) fn opsets(list: &[OperatorSetIdProto]) -> FxHashMap<String, i64> {
    let entry = |set: &OperatorSetIdProto| (canonical(set.domain()).to_owned(), set.version());
    list.iter().map(entry).collect()
}

/// The domain of a node; the default domain is the empty text.
pub(crate) fn domain(node: &NodeProto) -> &str {
    canonical(node.domain())
}

fn canonical(domain: &str) -> &str {
    if domain == "ai.onnx" { "" } else { domain }
}

/// Name and elements of a serialized tensor.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_tensor(bytes: Bytes) -> Outcome<(String, Literal)> {
    let proto = TensorProto::decode(bytes).map_err(|error| fault!("not an ONNX tensor: {error}"))?;
    Ok((proto.name().to_owned(), literal(&proto, None)?))
}

/// The elements of a tensor.
///
/// # Errors
/// What is wrong with it, or that its type is not supported.
pub(crate) fn literal(proto: &TensorProto, external: Option<&OpenExternal<'_>>) -> Outcome<Literal> {
    let element = Element::of_code(proto.data_type())?;
    let shape = proto.dims.clone();
    let total = count(&shape)?;
    let is_packed = element.stored() != element;
    let stored = if is_packed { total.div_ceil(2) } else { total };
    let sound = |bytes: Bytes| {
        if is_packed { unpacked(element, &shape, &bytes) } else { Literal::sound(element, shape.clone(), bytes) }
    };
    if proto.data_location() == DataLocation::External {
        return sound(external_data(proto, stored * element.bytes(), external)?);
    }
    if let Some(raw) = &proto.raw_data {
        return sound(raw.clone());
    }
    let given = proto.float_data.len()
        + proto.double_data.len()
        + proto.int32_data.len()
        + proto.int64_data.len()
        + proto.uint64_data.len();
    require!(given == stored, "a tensor of shape {shape:?} has {stored} elements, but {given} are given");
    match element {
        Element::F32 => sound(le(&proto.float_data, |value| value.to_le_bytes())),
        Element::F64 => sound(le(&proto.double_data, |value| value.to_le_bytes())),
        Element::I64 => sound(le(&proto.int64_data, |value| value.to_le_bytes())),
        Element::U32 => sound(le(&proto.uint64_data, |value| (value as u32).to_le_bytes())),
        Element::U64 => sound(le(&proto.uint64_data, |value| value.to_le_bytes())),
        // All narrower ones, the bits of the floats of 16 bits among them, are in `int32_data`.
        Element::I32 => sound(le(&proto.int32_data, |value| value.to_le_bytes())),
        _ if element.bytes() == 2 => sound(le(&proto.int32_data, |value| (value as u16).to_le_bytes())),
        _ => sound(le(&proto.int32_data, |value| [value as u8])),
    }
}

/// Elements of 4 bits, two to a byte, the first of them in the lower half.
fn unpacked(element: Element, shape: &[i64], packed: &[u8]) -> Outcome<Literal> {
    let total = count(shape)?;
    let expected = total.div_ceil(2);
    require!(
        packed.len() == expected,
        "a tensor of {} and shape {shape:?} takes {expected} bytes, but there are {}",
        element.name(),
        packed.len()
    );
    let halves = packed.iter().flat_map(|&byte| [byte & 15, byte >> 4]).take(total);
    let extended = halves.map(|half| if element.is_signed() { (half ^ 8).wrapping_sub(8) } else { half });
    Literal::sound(element, shape.to_vec(), extended.collect::<Vec<u8>>().into())
}

fn le<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Bytes {
    values.iter().flat_map(|&value| bytes(value)).collect::<Vec<u8>>().into()
}

/// The elements that lie in another file.
fn external_data(proto: &TensorProto, length: usize, open: Option<&OpenExternal<'_>>) -> Outcome<Bytes> {
    let entry = |key: &str| proto.external_data.iter().find(|entry| entry.key() == key).map(|entry| entry.value());
    let number = |key: &str, otherwise: usize| match entry(key) {
        None => Ok(otherwise),
        Some(text) => text.parse::<usize>().map_err(|_| fault!("external data: '{text}' is no {key}")),
    };
    let path = entry("location").ok_or("external data without a location")?;
    let leaves = path.is_empty()
        || path.starts_with(['/', '\\'])
        || path.contains(':')
        || path.split(['/', '\\']).any(|part| part == "..");
    require!(!leaves, "external data: '{path}' is not in the folder of the model");
    let open = open.ok_or("unsupported: external data of a model that is not read from a folder")?;
    let file = open(path).map_err(|why| fault!("external data: {why}"))?;
    let offset = number("offset", 0)?;
    let end = offset.checked_add(number("length", length)?).filter(|&end| end <= file.len());
    let end = end.ok_or_else(|| fault!("external data: '{path}' ends before the data does"))?;
    Ok(file.slice(offset..end))
}
