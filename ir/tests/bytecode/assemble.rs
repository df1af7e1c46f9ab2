//! Bytecode files made by hand: those of a valid one with single sections replaced.

/// A number below 2^14.
pub(crate) fn v(value: u64) -> Vec<u8> {
    match value {
        0..0x80 => vec![(value << 1 | 1) as u8],
        0x80..0x4000 => (value << 2 | 2).to_le_bytes()[..2].to_vec(),
        _ => [vec![0], value.to_le_bytes().to_vec()].concat(),
    }
}

/// Numbers in a row.
pub(crate) fn vs(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|&value| v(value)).collect()
}

/// A section.
pub(crate) fn section(code: u8, content: &[u8]) -> Vec<u8> {
    [vec![code], v(content.len() as u64), content.to_vec()].concat()
}

/// The sections of `module {}`, by code.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) version: u64,
    pub(crate) sections: Vec<(u8, Vec<u8>)>,
}

pub(crate) const STRINGS: u8 = 0;
pub(crate) const DIALECTS: u8 = 1;
pub(crate) const ENTRIES: u8 = 2;
pub(crate) const OFFSETS: u8 = 3;
pub(crate) const IR: u8 = 4;
pub(crate) const RESOURCES: u8 = 5;
pub(crate) const RESOURCE_OFFSETS: u8 = 6;
pub(crate) const PROPERTIES: u8 = 8;

/// Parts of an operation.
pub(crate) const HAS_ATTRS: u8 = 1;
pub(crate) const HAS_RESULTS: u8 = 2;
pub(crate) const HAS_OPERANDS: u8 = 4;
pub(crate) const HAS_SUCCESSORS: u8 = 8;
pub(crate) const HAS_REGIONS: u8 = 16;
pub(crate) const HAS_USE_LISTS: u8 = 32;
pub(crate) const HAS_PROPERTIES: u8 = 64;

impl File {
    /// `module {}`, with `t.op` as operation name 1, `i32` as type 0 and the unknown location as attribute 0.
    pub(crate) fn module() -> Self {
        let dialects = vs(&[2, 0, 2 << 1, 2, 0, 1, 1 << 1 | 1, 1, 1, 3 << 1]);
        Self {
            version: 6,
            sections: vec![
                (STRINGS, strings(&["builtin", "module", "t", "op"])),
                (DIALECTS, dialects),
                (OFFSETS, vs(&[1, 1, 0, 1, 1 << 1 | 1, 0, 1, 2 << 1 | 1])),
                (ENTRIES, vs(&[15, 0, 32 << 2])),
                (IR, module_of(&block(&[]))),
                (PROPERTIES, vs(&[1, 2, 0, 0])),
            ],
        }
        .fix_entry_sizes()
    }

    /// `i32` takes a byte more than the table above says.
    fn fix_entry_sizes(mut self) -> Self {
        let entries = self.get(ENTRIES).len() as u64;
        *self.section(OFFSETS) = vs(&[1, 1, 0, 1, 1 << 1 | 1, 0, 1, (entries - 1) << 1 | 1]);
        self
    }

    fn get(&self, code: u8) -> &[u8] {
        &self.sections.iter().find(|(c, _)| *c == code).unwrap().1
    }

    /// The content of a section, to be changed.
    pub(crate) fn section(&mut self, code: u8) -> &mut Vec<u8> {
        &mut self.sections.iter_mut().find(|(c, _)| *c == code).unwrap().1
    }

    /// With another section in the place of one of its kind, or added.
    pub(crate) fn with(mut self, code: u8, content: Vec<u8>) -> Self {
        self.sections.retain(|(c, _)| *c != code);
        self.sections.push((code, content));
        self
    }

    pub(crate) fn without(mut self, code: u8) -> Self {
        self.sections.retain(|(c, _)| *c != code);
        self
    }

    /// With these attributes of the `builtin` dialect after the unknown location.
    pub(crate) fn with_attrs(self, attrs: &[Vec<u8>]) -> Self {
        self.with_entries(attrs, &[])
    }

    /// With these types of the `builtin` dialect after `i32`.
    pub(crate) fn with_types(self, types: &[Vec<u8>]) -> Self {
        self.with_entries(&[], types)
    }

    /// With both.
    pub(crate) fn with_entries(self, attrs: &[Vec<u8>], types: &[Vec<u8>]) -> Self {
        let attrs = [&[v(15)], attrs].concat();
        let types = [&[vs(&[0, 32 << 2])], types].concat();
        let (num_attrs, num_types) = (attrs.len() as u64, types.len() as u64);
        let lengths = |entries: &[Vec<u8>]| -> Vec<u8> {
            entries.iter().flat_map(|entry| v((entry.len() as u64) << 1 | 1)).collect()
        };
        let offsets =
            [vs(&[num_attrs, num_types, 0, num_attrs]), lengths(&attrs), vs(&[0, num_types]), lengths(&types)];
        self.with(OFFSETS, offsets.concat()).with(ENTRIES, [attrs.concat(), types.concat()].concat())
    }

    /// With the operations of a block in the module.
    pub(crate) fn with_block(self, block: &[u8]) -> Self {
        self.with(IR, module_of(block))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"ML\xefR".to_vec();
        bytes.extend(v(self.version));
        bytes.extend(b"hand\0");
        for (code, content) in &self.sections {
            bytes.extend(section(*code, content));
        }
        bytes
    }
}

/// A string table.
pub(crate) fn strings(list: &[&str]) -> Vec<u8> {
    let mut section = v(list.len() as u64);
    for s in list.iter().rev() {
        section.extend(v(s.len() as u64 + 1));
    }
    for s in list {
        section.extend(s.bytes().chain([0]));
    }
    section
}

/// A block without arguments.
pub(crate) fn block(ops: &[Vec<u8>]) -> Vec<u8> {
    [v((ops.len() as u64) << 1), ops.concat()].concat()
}

/// `t.op` with these parts.
pub(crate) fn op(parts: u8, rest: &[u8]) -> Vec<u8> {
    [v(1), vec![parts], v(0), rest.to_vec()].concat()
}

/// The operations section: a module with one block that defines `values` values.
pub(crate) fn module_with_values(values: u64, block: &[u8]) -> Vec<u8> {
    let region = [vs(&[1, values]), block.to_vec()].concat();
    let module = [v(0), vec![HAS_PROPERTIES | HAS_REGIONS], vs(&[0, 0, 1 << 1 | 1]), section(IR, &region)].concat();
    [v(1 << 1), module].concat()
}

fn module_of(block: &[u8]) -> Vec<u8> {
    module_with_values(0, block)
}
