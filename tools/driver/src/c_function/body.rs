//! The C function as text of the `llvm` dialect.

use std::fmt::{Display, Write as _};

use dl_runtime::c_interface::{MAX_RANK, Status, dtype_code};
use dl_runtime::{ArgType, DType, Signature};

use super::shape;

/// Byte offsets in the C struct of a tensor: where its elements are; what to release when they are no longer needed; how many bytes there
/// are room for; its extents; the number of them; and the type of the elements, as ONNX numbers it.
const DATA: usize = 0;
const OWNER: usize = 8;
const CAPACITY: usize = 16;
const SHAPE: usize = 24;
const RANK: usize = SHAPE + 8 * MAX_RANK;
const DTYPE: usize = RANK + 4;
const SIZE: usize = DTYPE + 4;

/// A module with the function `name`, which calls `callee`, a function of this signature, and declarations of all that it calls.
pub(super) fn text(signature: &Signature, callee: &str, name: &str) -> String {
    let parameters: Vec<String> = signature.inputs.iter().flat_map(parameters).collect();
    let results: Vec<String> = signature.results.iter().map(result).collect();
    let returned = match &results[..] {
        [] => String::new(),
        [only] => format!(" -> {only}"),
        several => format!(" -> !llvm.struct<({})>", several.join(", ")),
    };
    let mut writer = Writer { text: String::new(), names: 0 };
    writer.function(signature, callee, &parameters, &returned);
    format!(
        "llvm.func @malloc(i64) -> !llvm.ptr\n\
         llvm.func @free(!llvm.ptr)\n\
         llvm.func @\"{callee}\"({}){returned}\n\
         llvm.func @{name}(%inputs: !llvm.ptr, %outputs: !llvm.ptr) -> i32 {{\n{}}}\n",
        parameters.join(", "),
        writer.text
    )
}

/// The type of a number.
fn number(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "i1",
        DType::I8 | DType::U8 | DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ => "i8",
        DType::I16 | DType::U16 => "i16",
        DType::I32 | DType::U32 => "i32",
        DType::I64 | DType::U64 => "i64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
    }
}

/// What one argument is lowered to.
fn parameters(ty: &ArgType) -> Vec<String> {
    match ty {
        ArgType::Scalar(dtype) => vec![number(*dtype).to_owned()],
        ArgType::MemRef { shape, .. } => {
            let words = std::iter::repeat_n("i64", 1 + 2 * shape.len());
            ["!llvm.ptr", "!llvm.ptr"].into_iter().chain(words).map(str::to_owned).collect()
        }
    }
}

/// What one result is lowered to.
fn result(ty: &ArgType) -> String {
    match ty {
        ArgType::Scalar(dtype) => number(*dtype).to_owned(),
        ArgType::MemRef { shape, .. } if shape.is_empty() => "!llvm.struct<(ptr, ptr, i64)>".to_owned(),
        ArgType::MemRef { shape, .. } => {
            let extents = format!("array<{} x i64>", shape.len());
            format!("!llvm.struct<(ptr, ptr, i64, {extents}, {extents})>")
        }
    }
}

/// A result on its way out.
struct Outgoing {
    dtype: DType,
    /// What was allocated, and where the elements begin.
    allocated: String,
    data: String,
    extents: Vec<String>,
    bytes: String,
}

/// Writes the body, an operation a line. A value or a block is known by its name.
struct Writer {
    text: String,
    names: usize,
}

impl Writer {
    fn function(&mut self, signature: &Signature, callee: &str, parameters: &[String], returned: &str) {
        let mut arguments = Vec::new();
        for (at, ty) in signature.inputs.iter().enumerate() {
            self.argument(at, ty, &mut arguments);
        }
        let result = returned.strip_prefix(" -> ").unwrap_or("()");
        let call =
            format!("llvm.call @\"{callee}\"({}) : ({}) -> {result}", arguments.join(", "), parameters.join(", "));
        let all = if signature.results.is_empty() {
            self.line(&call);
            String::new()
        } else {
            self.value(&call)
        };
        let mut outgoing: Vec<Outgoing> = Vec::new();
        for (at, ty) in signature.results.iter().enumerate() {
            // Several results come as one struct of them.
            let prefix = if signature.results.len() > 1 { vec![at] } else { Vec::new() };
            let found = self.outgoing(ty, &all, &prefix, result);
            let own = self.of_its_own(found, &outgoing);
            outgoing.push(own);
        }
        let mut answer = self.int(0);
        for (at, result) in outgoing.iter().enumerate() {
            let failed = self.hand_out(at, result);
            let zero = self.int(0);
            let is_first = self.value(&format!("llvm.icmp \"eq\" {answer}, {zero} : i32"));
            answer = self.value(&format!("llvm.select {is_first}, {failed}, {answer} : i1, i32"));
        }
        self.line(&format!("llvm.return {answer} : i32"));
    }

    // Operations.

    /// Writes an operation without a result, or several lines.
    fn line(&mut self, op: &str) {
        self.text.push_str(op);
        self.text.push('\n');
    }

    /// Writes an operation with one result.
    fn value(&mut self, op: &str) -> String {
        self.names += 1;
        let name = format!("%{}", self.names);
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{name} = {op}");
        name
    }

    /// A name for a block.
    fn block(&mut self) -> String {
        self.names += 1;
        format!("^bb{}", self.names)
    }

    fn int(&mut self, value: usize) -> String {
        self.value(&format!("llvm.mlir.constant({value} : i32) : i32"))
    }

    fn word(&mut self, value: usize) -> String {
        self.value(&format!("llvm.mlir.constant({value} : i64) : i64"))
    }

    /// The value that says what went wrong with a tensor.
    fn code(&mut self, error: Status, number: usize) -> String {
        self.int(number << 8 | error as usize)
    }

    fn address(&mut self, base: &str, offset: impl Display) -> String {
        self.value(&format!("llvm.getelementptr inbounds {base}[{offset}] : (!llvm.ptr) -> !llvm.ptr, i8"))
    }

    fn load(&mut self, base: &str, offset: usize, ty: &str) -> String {
        let address = self.address(base, offset);
        self.value(&format!("llvm.load {address} : !llvm.ptr -> {ty}"))
    }

    fn store(&mut self, base: &str, offset: usize, value: &str, ty: &str) {
        let address = self.address(base, offset);
        self.line(&format!("llvm.store {value}, {address} : {ty}, !llvm.ptr"));
    }

    fn copy(&mut self, to: &str, from: &str, bytes: &str) {
        let types = "(!llvm.ptr, !llvm.ptr, i64) -> ()";
        self.line(&format!("\"llvm.intr.memcpy\"({to}, {from}, {bytes}) <{{isVolatile = false}}> : {types}"));
    }

    /// Returns with an error unless `holds`.
    fn check(&mut self, holds: &str, error: Status, number: usize) {
        let (good, bad) = (self.block(), self.block());
        self.line(&format!("llvm.cond_br {holds}, {good}, {bad}\n{bad}:"));
        let code = self.code(error, number);
        self.line(&format!("llvm.return {code} : i32\n{good}:"));
    }

    // Arguments and results.

    /// Checks an input, and adds what the program takes for it.
    fn argument(&mut self, at: usize, ty: &ArgType, arguments: &mut Vec<String>) {
        let base = self.address("%inputs", at * SIZE);
        for (offset, expected, error) in
            [(DTYPE, dtype_code(ty.dtype()) as usize, Status::DType), (RANK, shape(ty).len(), Status::Rank)]
        {
            let (found, expected) = (self.load(&base, offset, "i32"), self.int(expected));
            let same = self.value(&format!("llvm.icmp \"eq\" {found}, {expected} : i32"));
            self.check(&same, error, at);
        }
        let mut extents = Vec::new();
        for (dim, known) in shape(ty).iter().enumerate() {
            let extent = self.load(&base, SHAPE + 8 * dim, "i64");
            let (predicate, bound) = known.map_or(("sge", 0), |known| ("eq", known));
            let bound = self.word(bound);
            let holds = self.value(&format!("llvm.icmp \"{predicate}\" {extent}, {bound} : i64"));
            self.check(&holds, Status::Shape, at);
            extents.push(extent);
        }
        let (data, null) = (self.load(&base, DATA, "!llvm.ptr"), self.value("llvm.mlir.zero : !llvm.ptr"));
        let there = self.value(&format!("llvm.icmp \"ne\" {data}, {null} : !llvm.ptr"));
        self.check(&there, Status::Null, at);
        match ty {
            ArgType::Scalar(DType::Bool) => {
                let byte = self.load(&data, 0, "i8");
                arguments.push(self.value(&format!("llvm.trunc {byte} : i8 to i1")));
            }
            ArgType::Scalar(dtype) => arguments.push(self.load(&data, 0, number(*dtype))),
            ArgType::MemRef { .. } => {
                let (offset, mut stride) = (self.word(0), self.word(1));
                let mut strides = Vec::new();
                for extent in extents.iter().rev() {
                    strides.push(stride.clone());
                    stride = self.value(&format!("llvm.mul {stride}, {extent} : i64"));
                }
                strides.reverse();
                arguments.extend([data.clone(), data, offset]);
                arguments.extend(extents.into_iter().chain(strides));
            }
        }
    }

    /// The parts of the result at `prefix` of what was returned, a value of type `returned`. A scalar is put into memory.
    fn outgoing(&mut self, ty: &ArgType, all: &str, prefix: &[usize], returned: &str) -> Outgoing {
        let dtype = ty.dtype();
        let size = self.word(dtype.size());
        let part = |writer: &mut Self, position: &[usize]| {
            let position: Vec<String> = prefix.iter().chain(position).map(ToString::to_string).collect();
            writer.value(&format!("llvm.extractvalue {all}[{}] : {returned}", position.join(", ")))
        };
        let ArgType::MemRef { shape, .. } = ty else {
            let value = if prefix.is_empty() { all.to_owned() } else { part(self, &[]) };
            let memory = self.allocate(&size);
            let (value, ty) = match dtype {
                DType::Bool => (self.value(&format!("llvm.zext {value} : i1 to i8")), "i8"),
                other => (value, number(other)),
            };
            self.line(&format!("llvm.store {value}, {memory} : {ty}, !llvm.ptr"));
            return Outgoing { dtype, allocated: memory.clone(), data: memory, extents: Vec::new(), bytes: size };
        };
        let (allocated, aligned, offset) = (part(self, &[0]), part(self, &[1]), part(self, &[2]));
        let offset = self.value(&format!("llvm.mul {offset}, {size} : i64"));
        let data =
            self.value(&format!("llvm.getelementptr inbounds {aligned}[{offset}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"));
        let (mut extents, mut bytes) = (Vec::new(), size);
        for dim in 0..shape.len() {
            let extent = part(self, &[3, dim]);
            bytes = self.value(&format!("llvm.mul {bytes}, {extent} : i64"));
            extents.push(extent);
        }
        Outgoing { dtype, allocated, data, extents, bytes }
    }

    /// The result with a copy of its elements, if its buffer is also that of one before: a program may return a value twice.
    fn of_its_own(&mut self, result: Outgoing, before: &[Outgoing]) -> Outgoing {
        let Outgoing { allocated, data, bytes, .. } = &result;
        let mut shared: Option<String> = None;
        for other in before {
            let same = self.value(&format!("llvm.icmp \"eq\" {allocated}, {} : !llvm.ptr", other.allocated));
            shared = Some(match shared {
                Some(shared) => self.value(&format!("llvm.or {shared}, {same} : i1")),
                None => same,
            });
        }
        let Some(shared) = shared else { return result };
        let (copy, next) = (self.block(), self.block());
        self.line(&format!(
            "llvm.cond_br {shared}, {copy}, {next}({allocated}, {data} : !llvm.ptr, !llvm.ptr)\n{copy}:"
        ));
        // The C library may answer null for no bytes.
        let one = self.word(1);
        let room = self.value(&format!("llvm.or {bytes}, {one} : i64"));
        let memory = self.allocate(&room);
        self.copy(&memory, data, bytes);
        self.line(&format!("llvm.br {next}({memory}, {memory} : !llvm.ptr, !llvm.ptr)"));
        let [allocated, data] = ["allocated", "data"].map(|what| format!("%{what}_{}", &next[3..]));
        self.line(&format!("{next}({allocated}: !llvm.ptr, {data}: !llvm.ptr):"));
        Outgoing { allocated, data, ..result }
    }

    /// Memory from the C library, or an error from the function.
    fn allocate(&mut self, bytes: &str) -> String {
        let memory = self.value(&format!("llvm.call @malloc({bytes}) : (i64) -> !llvm.ptr"));
        let null = self.value("llvm.mlir.zero : !llvm.ptr");
        let there = self.value(&format!("llvm.icmp \"ne\" {memory}, {null} : !llvm.ptr"));
        self.check(&there, Status::Memory, 0);
        memory
    }

    /// Gives an output its extents, and the buffer of the result or a copy of what is in it. Answers an error, or 0.
    fn hand_out(&mut self, at: usize, result: &Outgoing) -> String {
        let Outgoing { dtype, allocated, data, extents, bytes } = result;
        let base = self.address("%outputs", at * SIZE);
        let (rank, code) = (self.int(extents.len()), self.int(dtype_code(*dtype) as usize));
        self.store(&base, RANK, &rank, "i32");
        self.store(&base, DTYPE, &code, "i32");
        for (dim, extent) in extents.iter().enumerate() {
            self.store(&base, SHAPE + 8 * dim, extent, "i64");
        }
        let [give, copy, fits, release, done] = std::array::from_fn(|_| self.block());
        let (given, null) = (self.load(&base, DATA, "!llvm.ptr"), self.value("llvm.mlir.zero : !llvm.ptr"));
        let (good, error) = (self.int(0), self.code(Status::Capacity, at));
        let without = self.value(&format!("llvm.icmp \"eq\" {given}, {null} : !llvm.ptr"));
        self.line(&format!("llvm.cond_br {without}, {give}, {copy}\n{give}:"));
        self.store(&base, DATA, data, "!llvm.ptr");
        self.store(&base, OWNER, allocated, "!llvm.ptr");
        self.store(&base, CAPACITY, bytes, "i64");
        self.line(&format!("llvm.br {done}({good} : i32)\n{copy}:"));
        let capacity = self.load(&base, CAPACITY, "i64");
        let enough = self.value(&format!("llvm.icmp \"uge\" {capacity}, {bytes} : i64"));
        self.line(&format!("llvm.cond_br {enough}, {fits}, {release}({error} : i32)\n{fits}:"));
        self.copy(&given, data, bytes);
        let (failed, answer) = (format!("%failed_{at}"), format!("%answer_{at}"));
        self.line(&format!("llvm.br {release}({good} : i32)\n{release}({failed}: i32):"));
        self.line(&format!("llvm.call @free({allocated}) : (!llvm.ptr) -> ()\nllvm.br {done}({failed} : i32)"));
        self.line(&format!("{done}({answer}: i32):"));
        answer
    }
}
