//! `llvm-use-default-visibility`: another visibility where none is said.

use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter};
use dl_llvm::Visibility;

/// The visibility to give.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Given {
    /// Seen in the object that is linked only.
    #[default]
    Hidden,
    /// Seen everywhere, but not replaced by another definition.
    Protected,
}

impl OptionValue for Given {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[("hidden", "Hidden"), ("protected", "Protected")];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            Some("hidden") => Ok(Self::Hidden),
            Some("protected") => Ok(Self::Protected),
            Some(other) => Err(format!("Cannot find option named '{other}'!")),
            None => Err("requires a value".to_owned()),
        }
    }

    fn print(&self) -> Option<String> {
        Some(if *self == Self::Hidden { "hidden" } else { "protected" }.to_owned())
    }
}

dl_ir::pass_options! {
    /// Options of [`LlvmUseDefaultVisibility`].
    pub struct DefaultVisibilityOptions {
        /// The visibility to use in place of the default one
        visibility "visibility": Given = Given::default(),
    }
}

/// Gives functions, globals and aliases of default visibility another one.
#[derive(Clone, Default)]
pub struct LlvmUseDefaultVisibility {
    /// The options.
    pub options: DefaultVisibilityOptions,
}

/// What has a visibility.
const VISIBLE: [&str; 4] = ["llvm.func", "llvm.mlir.global", "llvm.mlir.alias", "llvm.mlir.ifunc"];

impl Pass for LlvmUseDefaultVisibility {
    const INFO: PassInfo = PassInfo::new(
        "llvm-use-default-visibility",
        "Update default visibility of all global values and function definitions",
    )
    .title("LLVMUseDefaultVisibilityPass")
    .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let given = match self.options.visibility {
            Given::Hidden => Visibility::Hidden,
            Given::Protected => Visibility::Protected,
        };
        let mut update = |cx: &Context, ir: &mut Arena| {
            let name = cx.ident("visibility_");
            let is_default = |op: &OpId| {
                let view = OpRef::new(cx, ir, *op);
                let visibility = view.attr("visibility_").and_then(|attr| attr.as_int()).unwrap_or(0);
                VISIBLE.contains(&view.name()) && !view.is_stub() && visibility == Visibility::Default.value() as i64
            };
            let found: Vec<OpId> = dl_ir::walk::ops_in_arena(ir, Arena::ROOT).into_iter().filter(is_default).collect();
            for op in found {
                Rewriter::new(cx, ir).set_attr(op, name, cx.i64_attr(given.value() as i64));
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut update);
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}
