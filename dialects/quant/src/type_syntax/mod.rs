//! Text forms of the types.

mod parse;
mod print;

use dl_ir::DialectBuilder;
use dl_ir::dialect::TypeSyntax;

use crate::types::{ANY, CALIBRATED, UNIFORM};

/// Registers the text forms.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder
        .type_syntax(&ANY.name, TypeSyntax { parse: parse::any, print: print::any })
        .type_syntax(&UNIFORM.name, TypeSyntax { parse: parse::uniform, print: print::uniform })
        .type_syntax(&CALIBRATED.name, TypeSyntax { parse: parse::calibrated, print: print::calibrated });
}
