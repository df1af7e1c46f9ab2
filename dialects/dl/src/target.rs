//! `#dl.target`: the CPU to generate code for.
//!
//! A module carries it as its attribute [`NAME`]. Passes read it by [`of_module`]; they know no other machine.

use dl_ir::{Attr, AttrRef, Context, OpRef};
use dl_machine::{Arch, Cache, Machine};

use crate::TARGET_ATTR_DEF;

/// The name of the module's attribute.
pub const NAME: &str = "dl.target";

/// The attribute that describes `machine`.
pub fn attr(cx: &Context, machine: &Machine) -> Attr {
    let number = |value: u32| cx.int_attr(cx.int_type(32), i64::from(value));
    let size = |value: u64| cx.int_attr(cx.int_type(64), i64::try_from(value).unwrap_or(i64::MAX));
    let params = [
        cx.string_attr(&machine.cpu),
        cx.string_attr(machine.arch.name()),
        number(machine.vector_bits),
        number(machine.vector_registers),
        size(machine.l1d.size),
        number(machine.l1d.ways),
        size(machine.l2.size),
        number(machine.l2.ways),
        size(machine.l3.size),
        number(machine.l3.ways),
        number(machine.cores),
        cx.string_attr(&machine.features.join(",")),
    ];
    cx.dialect_attr(&TARGET_ATTR_DEF.name, &params)
}

/// The machine that the attribute describes; `None` for another attribute, or an architecture that is not known.
pub fn machine(attr: AttrRef<'_>) -> Option<Machine> {
    if !attr.is_dialect_attr(&TARGET_ATTR_DEF.name) {
        return None;
    }
    let param = |name: &str| {
        let at = TARGET_ATTR_DEF.param(name)?;
        attr.params().get(at).map(|&param| attr.cx().attr(param))
    };
    let text = |name: &str| param(name)?.as_str().map(str::to_owned);
    let size = |name: &str| u64::try_from(param(name)?.as_int()?).ok();
    let number = |name: &str| u32::try_from(size(name)?).ok();
    let cache = |at: &str, ways: &str| Some(Cache { size: size(at)?, ways: number(ways)? });
    Some(Machine {
        cpu: text("cpu")?,
        arch: Arch::of_name(&text("arch")?)?,
        vector_bits: number("vector_bits")?,
        vector_registers: number("vector_registers")?,
        l1d: cache("l1d", "l1d_ways")?,
        l2: cache("l2", "l2_ways")?,
        l3: cache("l3", "l3_ways")?,
        cores: number("cores")?,
        features: text("features")?.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
    })
}

/// The machine that a module says it is for.
pub fn of_module(module: OpRef<'_>) -> Option<Machine> {
    machine(module.attr(NAME)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_holds_all_that_is_known() {
        let mut cx = Context::new();
        cx.register(&crate::Dl);
        for name in dl_machine::names() {
            let known = dl_machine::named(name).unwrap();
            let attr = attr(&cx, &known);
            assert_eq!(machine(cx.attr(attr)).as_ref(), Some(&known), "{name}");
        }
    }
}
