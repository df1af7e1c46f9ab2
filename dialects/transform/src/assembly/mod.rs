//! Pretty forms.

mod index_list;
mod match_ops;
pub(crate) mod options;
mod sequence;
mod sizes;
mod split;

pub(crate) use sequence::foreach_match_names;
pub(crate) use split::{parse_split, print_split};

use dl_ir::DialectBuilder;
use dl_ir::dialect::CustomDirective;

/// Registers the directives.
pub(crate) fn register(builder: &mut DialectBuilder) {
    let selected = CustomDirective { parse: sequence::parse_selected_region, print: sequence::print_selected_region };
    builder
        .directive("AlternativesOpSelectedRegion", selected)
        .directive(
            "ApplyRegisteredPassOptions",
            CustomDirective { parse: options::parse_options, print: options::print_options },
        )
        .directive("ContinuousTileSizeTypes", CustomDirective { parse: sizes::parse, print: sizes::print })
        .directive("MultitileSizesTypes", CustomDirective { parse: sizes::parse, print: sizes::print })
        .directive("DynamicIndexList", CustomDirective { parse: index_list::parse, print: index_list::print })
        .directive(
            "PackedOrDynamicIndexList",
            CustomDirective { parse: index_list::parse_packed, print: index_list::print_packed },
        )
        .directive(
            "ForeachMatchSymbols",
            CustomDirective { parse: sequence::parse_symbols, print: sequence::print_symbols },
        )
        .directive(
            "SequenceOpOperands",
            CustomDirective { parse: sequence::parse_operands, print: sequence::print_operands },
        )
        .directive(
            "SemiFunctionType",
            CustomDirective { parse: match_ops::parse_semi_function, print: match_ops::print_semi_function },
        )
        .directive(
            "TransformMatchDims",
            CustomDirective { parse: match_ops::parse_dims, print: match_ops::print_dims },
        );
}
