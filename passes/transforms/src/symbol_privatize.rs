//! `symbol-privatize`: nothing outside needs the symbols of a module.

use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::symbol::VISIBILITY;
use dl_ir::{Arena, OpId};

dl_ir::pass_options! {
    /// Options of [`SymbolPrivatize`].
    pub struct SymbolPrivatizeOptions {
        /// Names of the symbols that stay as they are
        exclude "exclude": Vec<String> = Vec::new(),
    }
}

/// Makes the symbols of a table private, so that they can be erased, inlined and specialized.
#[derive(Clone, Default)]
pub struct SymbolPrivatize {
    /// The options.
    pub options: SymbolPrivatizeOptions,
}

impl Pass for SymbolPrivatize {
    const INFO: PassInfo = PassInfo::new("symbol-privatize", "Mark symbols private").title("SymbolPrivatize");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = cx.root();
        if !root.has_trait(&Trait::SymbolTable) {
            cx.preserve_all();
            return Ok(());
        }
        let kept = |name: &str| self.options.exclude.iter().any(|own| own == name);
        let symbols: Vec<OpId> = root
            .regions()
            .flat_map(|region| region.ops())
            .filter(|op| op.info().is_registered() && op.symbol_name().is_some_and(|name| !kept(name)))
            .map(|op| op.id())
            .collect();
        let (name, private) = (cx.ctx.ident(VISIBILITY), cx.ctx.string_attr("private"));
        let mut rw = cx.rewriter();
        for op in symbols {
            match rw.enter(op) {
                Some(mut inner) => inner.set_attr(Arena::ROOT, name, private),
                None => rw.set_attr(op, name, private),
            }
        }
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}
