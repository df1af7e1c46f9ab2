//! From the text of a description to a [`Machine`].

use toml::de::DeTable;

use super::fields::{Errors, Fields, nearest, one_of};
use super::{
    Cores, Dataflow, DescriptionErrors, DmaEngines, Machine, MatrixTypes, MatrixUnit, Memory, MemoryKind, Queues,
    VectorFunction, VectorUnit,
};
use crate::ElementType;

/// Greatest number of cycles, lanes, rows and the like.
const MOST: u32 = 1 << 20;
/// Greatest array in either direction.
const MOST_ROWS: u32 = 4096;
/// Most cores.
const MOST_CORES: u32 = 64;
/// Most bytes of a memory inside a core.
const MOST_LOCAL: u64 = 1 << 30;
/// Most bytes of DRAM.
const MOST_DRAM: u64 = 1 << 42;

pub(super) fn parse(text: &str) -> Result<Machine, DescriptionErrors> {
    let mut errors = Errors::default();
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            errors.add(at, error.message());
            return errors.finish(text, None);
        }
    };
    let machine = machine(Fields::new(table.get_ref(), 0, ""), &mut errors);
    errors.finish(text, machine)
}

fn machine(mut fields: Fields<'_, '_>, errors: &mut Errors) -> Option<Machine> {
    let name = fields.name("name", errors).map(|(name, _)| name.to_owned());
    let clock_mhz = fields.integer("clock-mhz", 1..=100_000, None, errors);
    let cores = match fields.table("cores", errors) {
        Some(table) => cores(table, errors),
        None => Some(Cores { rows: 1, columns: 1, hop_latency: 0, barrier_latency: 0 }),
    };
    let tables = fields.tables("memory", errors);
    let memories = memories(tables, fields.at(), errors);
    let known = Known { memories: &memories };
    let matrix = fields.table("matrix", errors).map(|table| matrix(table, &known, errors));
    let vector = fields.table("vector", errors).map(|table| vector(table, &known, errors));
    let dma = if let Some(table) = fields.table("dma", errors) {
        dma(table, errors)
    } else {
        errors.add(fields.at(), "missing table '[dma]': without it nothing reaches the units");
        None
    };
    let queues = match fields.table("queues", errors) {
        Some(table) => queues(table, errors),
        None => Some(Queues { issue_interval: 1, depth: [16; 3] }),
    };
    if matrix.is_none() && vector.is_none() {
        errors.add(fields.at(), "expected a table '[matrix]' or '[vector]': a machine without units computes nothing");
    }
    fields.finish(errors);
    Some(Machine {
        name: name?,
        clock_mhz: clock_mhz?,
        cores: cores?,
        memories: memories.into_iter().collect::<Option<_>>()?,
        matrix: matrix.map_or(Some(None), |unit| unit.map(Some))?,
        vector: vector.map_or(Some(None), |unit| unit.map(Some))?,
        dma: dma?,
        queues: queues?,
    })
}

fn cores(mut fields: Fields<'_, '_>, errors: &mut Errors) -> Option<Cores> {
    let rows = fields.integer("rows", 1..=MOST_CORES, Some(1), errors);
    let columns = fields.integer("columns", 1..=MOST_CORES, Some(1), errors);
    let hop_latency = fields.integer("hop-latency", 0..=MOST, Some(0), errors);
    let barrier_latency = fields.integer("barrier-latency", 0..=MOST, Some(0), errors);
    if let (Some(rows), Some(columns)) = (rows, columns)
        && rows * columns > MOST_CORES
    {
        errors.add(fields.at(), format!("expected at most {MOST_CORES} cores, but got {rows} x {columns}"));
    }
    fields.finish(errors);
    Some(Cores { rows: rows?, columns: columns?, hop_latency: hop_latency?, barrier_latency: barrier_latency? })
}

/// The memories, `None` for those with errors.
fn memories(tables: Vec<Fields<'_, '_>>, at: usize, errors: &mut Errors) -> Vec<Option<Memory>> {
    let mut names: Vec<&str> = Vec::new();
    let mut memories = Vec::new();
    let mut outside = 0;
    for mut fields in tables {
        let name = fields.name("name", errors);
        if let Some((name, at)) = name {
            if names.contains(&name) {
                errors.add(at, format!("a second memory with the name '{name}'"));
            }
            names.push(name);
        }
        let kind = fields.choice("kind", &MemoryKind::NAMES, errors);
        outside += usize::from(kind == Some(MemoryKind::Dram));
        let name = name.map(|(name, _)| name.to_owned());
        memories.push(memory(name, kind, fields, errors));
    }
    if outside != 1 && memories.iter().all(Option::is_some) {
        errors.add(at, format!("expected one memory of kind 'dram', but got {outside}"));
    }
    memories
}

fn memory(
    name: Option<String>,
    kind: Option<MemoryKind>,
    mut fields: Fields<'_, '_>,
    errors: &mut Errors,
) -> Option<Memory> {
    let most = if kind == Some(MemoryKind::Dram) { MOST_DRAM } else { MOST_LOCAL };
    let size = fields.bytes("size", 1..=most, None, errors);
    let bandwidth = fields.bytes("bandwidth", 1..=1 << 30, None, errors);
    let latency = fields.integer("latency", 0..=MOST, Some(0), errors);
    let alignment = fields.bytes("alignment", 1..=1 << 20, Some(1), errors);
    let banks = fields.integer("banks", 1..=1024, Some(1), errors);
    let interleave = fields.bytes("interleave", 0..=1 << 20, Some(0), errors);
    let burst = fields.bytes("burst", 1..=1 << 20, Some(1), errors);
    if let Some(alignment) = alignment.filter(|alignment| !alignment.is_power_of_two()) {
        errors.add(fields.at(), format!("expected an alignment that is a power of two, but got {alignment}"));
    }
    if let (Some(size), Some(banks), Some(interleave)) = (size, banks, interleave) {
        let unit = u64::from(banks) * interleave.max(1);
        if size % unit != 0 {
            let message =
                format!("expected a size that is a multiple of {unit}, banks times interleave, but got {size}");
            errors.add(fields.at(), message);
        }
    }
    fields.finish(errors);
    let interleave = interleave.map(|bytes| (bytes > 0).then_some(bytes))?;
    Some(Memory {
        name: name?,
        kind: kind?,
        size: size?,
        bandwidth: bandwidth?,
        latency: latency?,
        alignment: alignment?,
        banks: banks?,
        interleave,
        burst: burst?,
    })
}

/// What units may name.
struct Known<'a> {
    memories: &'a [Option<Memory>],
}

impl Known<'_> {
    fn local(&self, name: &str) -> Option<usize> {
        let is_it = |memory: &Option<Memory>| {
            memory.as_ref().is_some_and(|memory| memory.name == name && memory.kind != MemoryKind::Dram)
        };
        self.memories.iter().position(is_it)
    }

    fn expected(&self) -> String {
        let local = self.memories.iter().flatten().filter(|memory| memory.kind != MemoryKind::Dram);
        format!("a memory inside the core, {}", one_of(local.map(|memory| memory.name.as_str())))
    }

    /// Reads the name of a memory.
    fn memory(&self, name: &'static str, fields: &mut Fields<'_, '_>, errors: &mut Errors) -> Option<usize> {
        let (text, at) = fields.name(name, errors)?;
        let found = self.local(text);
        // Where a memory itself is wrong, that is what is reported.
        if found.is_none() && self.memories.iter().all(Option::is_some) {
            errors.add(at, format!("field '{}': expected {}, but got \"{text}\"", fields.path(name), self.expected()));
        }
        found
    }
}

fn matrix(mut fields: Fields<'_, '_>, known: &Known<'_>, errors: &mut Errors) -> Option<MatrixUnit> {
    let rows = fields.integer("rows", 1..=MOST_ROWS, None, errors);
    let columns = fields.integer("columns", 1..=MOST_ROWS, None, errors);
    let dataflow = fields.choice("dataflow", &Dataflow::NAMES, errors);
    let double_buffered = fields.flag("double-buffered", false, errors);
    let max_stream = fields.integer("max-stream", 1..=MOST, Some(MOST), errors);
    let expected = "types as in \"i8*i8->i32\" or \"bf16*bf16->f32\", integers to i32 and floats to f32";
    let types = fields.list("types", expected, matrix_types, errors);
    let lhs = known.memory("lhs", &mut fields, errors);
    let rhs = known.memory("rhs", &mut fields, errors);
    let accumulator = known.memory("accumulator", &mut fields, errors);
    fields.finish(errors);
    Some(MatrixUnit {
        rows: rows?,
        columns: columns?,
        dataflow: dataflow?,
        double_buffered: double_buffered?,
        max_stream: max_stream?,
        types: types?,
        lhs: lhs?,
        rhs: rhs?,
        accumulator: accumulator?,
    })
}

/// `i8*i8->i32` and the like.
pub(crate) fn matrix_types(text: &str) -> Option<MatrixTypes> {
    let (operands, accumulator) = text.split_once("->")?;
    let (lhs, rhs) = operands.split_once('*')?;
    let types = MatrixTypes { lhs: lhs.parse().ok()?, rhs: rhs.parse().ok()?, accumulator: accumulator.parse().ok()? };
    types.is_sound().then_some(types)
}

fn vector(mut fields: Fields<'_, '_>, known: &Known<'_>, errors: &mut Errors) -> Option<VectorUnit> {
    let lanes = fields.integer("lanes", 1..=MOST, None, errors);
    let latency = fields.integer("latency", 0..=MOST, Some(0), errors);
    let element = |text: &str| text.parse().ok();
    let types = fields.list("types", &one_of(ElementType::ALL.iter().map(|t| t.name())), element, errors);
    let names = || VectorFunction::all().map(VectorFunction::name);
    let function = |text: &str| VectorFunction::all().find(|function| function.name() == text);
    let ops = fields.list("ops", &one_of(names()), function, errors);
    let table: Vec<_> = VectorFunction::all().map(|function| (function.name(), function)).collect();
    let cycles = match fields.table("cycles", errors) {
        Some(mut inner) => {
            let cycles = inner.numbers(&table, errors);
            if let Some(ops) = &ops {
                for (function, _) in cycles.iter().filter(|(function, _)| !ops.contains(function)) {
                    let name = function.name();
                    errors.add(inner.at(), format!("field 'vector.cycles.{name}': '{name}' is not among 'vector.ops'"));
                }
            }
            inner.finish(errors);
            cycles
        }
        None => Vec::new(),
    };
    let local = |text: &str| known.local(text);
    let memories = if known.memories.iter().all(Option::is_some) {
        fields.list("memories", &known.expected(), local, errors)
    } else {
        fields.list("memories", "a name", |_| Some(0), errors)
    };
    fields.finish(errors);
    let cycles_of = |function| cycles.iter().find(|(with, _)| *with == function).map_or(1, |&(_, cycles)| cycles);
    Some(VectorUnit {
        lanes: lanes?,
        latency: latency?,
        types: types?,
        functions: ops?.into_iter().map(|function| (function, cycles_of(function))).collect(),
        memories: memories?,
    })
}

fn dma(mut fields: Fields<'_, '_>, errors: &mut Errors) -> Option<DmaEngines> {
    let engines = fields.integer("engines", 1..=64, Some(1), errors);
    let bandwidth = fields.bytes("bandwidth", 1..=1 << 30, None, errors);
    let startup = fields.integer("startup", 0..=MOST, Some(0), errors);
    let dimensions = fields.integer("dimensions", 1..=3, Some(2), errors);
    let transpose = fields.flag("transpose", false, errors);
    let pad = fields.flag("pad", false, errors);
    fields.finish(errors);
    Some(DmaEngines {
        engines: engines?,
        bandwidth: bandwidth?,
        startup: startup?,
        dimensions: dimensions?,
        transpose: transpose?,
        pad: pad?,
    })
}

fn queues(mut fields: Fields<'_, '_>, errors: &mut Errors) -> Option<Queues> {
    let issue_interval = fields.integer("issue-interval", 1..=MOST, Some(1), errors);
    let [load, compute, store] =
        ["load", "compute", "store"].map(|name| fields.integer(name, 1..=MOST, Some(16), errors));
    fields.finish(errors);
    Some(Queues { issue_interval: issue_interval?, depth: [load?, compute?, store?] })
}

/// The element of `words` nearest to `name`, as a hint for a message.
pub(crate) fn hint<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    nearest(name, words).map(|near| format!(", did you mean '{near}'?")).unwrap_or_default()
}
