//! Of the dialect `sparse_tensor` only what types of tensors may have: `#sparse_tensor.encoding`, which tests of tensors use as an encoding that
//! is known. How elements are stored is nothing that an operation here looks at.

use dl_ir::affine::AffineExpr;
use dl_ir::dialect::AttrSyntax;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::typedef::{AttrDefinition, ParamDef, ParamKind};
use dl_ir::{Attr, Dialect, DialectBuilder};

/// How the elements of a sparse tensor are stored.
static ENCODING: AttrDefinition = AttrDefinition::custom(
    "sparse_tensor.encoding",
    "How the elements of a sparse tensor are stored.",
    const {
        &[
            ParamDef::required("map", ParamKind::Attr),
            ParamDef::required("levels", ParamKind::Attr),
            ParamDef::required("posWidth", ParamKind::Attr),
            ParamDef::required("crdWidth", ParamKind::Attr),
        ]
    },
);

/// The dialect `sparse_tensor`, of which only the encoding is known.
pub struct SparseTensor;

impl Dialect for SparseTensor {
    fn namespace(&self) -> &'static str {
        "sparse_tensor"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.attrs(&[&ENCODING]).attr_syntax("sparse_tensor.encoding", AttrSyntax { parse, print });
        b.partial().alias_name(|name| (name == "encoding").then_some("sparse"));
    }
}

/// What may follow the map: widths in bits, 0 where they are not given.
const WIDTHS: [&str; 2] = ["posWidth", "crdWidth"];

/// `<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>`. The parameters are the map from dimensions to levels, a
/// text for each level that tells how it is stored, and the widths.
fn parse(p: &mut OpParser<'_>) -> Parsed<Attr> {
    let cx = p.cx();
    let affine = cx.affine();
    let (mut map, mut levels, mut widths) = (None, Vec::new(), [0; 2]);
    p.parse_less()?;
    p.parse_comma_separated(Delimiter::Braces, |p| {
        if p.parse_optional_keyword("map") {
            p.parse_equal()?;
            let mut dims = Vec::new();
            p.parse_comma_separated(Delimiter::Paren, |p| {
                dims.push(p.parse_any_keyword()?.to_owned());
                Ok(())
            })?;
            p.parse_arrow()?;
            let mut exprs = Vec::new();
            p.parse_comma_separated(Delimiter::Paren, |p| {
                exprs.push(parse_level_expr(p, &dims)?);
                p.parse_colon()?;
                levels.push(cx.string_attr(&parse_level_type(p)?));
                Ok(())
            })?;
            map = Some(affine.intern_map(dims.len() as u32, 0, exprs));
            return Ok(());
        }
        let Some(word) = p.parse_optional_keyword_of(&WIDTHS) else {
            return Err(p.error("unsupported: expected 'map', 'posWidth' or 'crdWidth'"));
        };
        p.parse_equal()?;
        widths[usize::from(word == WIDTHS[1])] = p.parse_integer()?;
        Ok(())
    })?;
    p.parse_greater()?;
    let Some(map) = map else { return Err(p.error("expected a map")) };
    let [positions, coordinates] = widths.map(|width| cx.int_attr(cx.i64_type(), width));
    let params = [cx.affine_map_attr(map), cx.array_attr(&levels), positions, coordinates];
    Ok(cx.dialect_attr("sparse_tensor.encoding", &params))
}

/// `d0`, `d0 floordiv 2` or `d0 mod 2`.
fn parse_level_expr(p: &mut OpParser<'_>, dims: &[String]) -> Parsed<AffineExpr> {
    let affine = p.cx().affine();
    let loc = p.loc();
    let name = p.parse_any_keyword()?;
    let Some(at) = dims.iter().position(|dim| dim == name) else {
        return Err(p.error_at(loc, format!("use of undeclared identifier '{name}'")));
    };
    let dim = affine.dim(at as u32);
    Ok(match p.parse_optional_keyword_of(&["floordiv", "mod"]) {
        Some("floordiv") => affine.floordiv(dim, affine.constant(p.parse_integer()?)),
        Some(_) => affine.modulo(dim, affine.constant(p.parse_integer()?)),
        None => dim,
    })
}

/// `dense`, or `compressed(nonunique, nonordered)`.
fn parse_level_type(p: &mut OpParser<'_>) -> Parsed<String> {
    let loc = p.loc();
    let Some(name) = p.parse_optional_keyword_of(&["dense", "batch", "compressed", "loose_compressed", "singleton"])
    else {
        return Err(p.error_at(loc, "unsupported: a level type other than dense, compressed and the like"));
    };
    let mut properties = Vec::new();
    p.parse_comma_separated(Delimiter::OptionalParen, |p| {
        properties.push(p.parse_any_keyword()?.to_owned());
        Ok(())
    })?;
    Ok(if properties.is_empty() { name.to_owned() } else { format!("{name}({})", properties.join(", ")) })
}

fn print(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[map, levels, positions, coordinates] = params else { return };
    let cx = p.cx();
    let Some(map) = cx.attr(map).as_affine_map() else { return };
    let affine = cx.affine();
    let data = affine.map(map);
    let dims: Vec<String> = (0..data.num_dims).map(|dim| format!("d{dim}")).collect();
    let levels = data.results.iter().zip(cx.attr(levels).elements()).map(|(&expr, level)| {
        let mut text = String::new();
        affine.print_expr(expr, &mut text);
        format!("{text} : {}", level.as_str().unwrap_or_default())
    });
    p.text(&format!("<{{ map = ({}) -> ({})", dims.join(", "), levels.collect::<Vec<_>>().join(", ")));
    for (word, width) in WIDTHS.into_iter().zip([positions, coordinates]) {
        if let Some(width @ 1..) = cx.attr(width).as_int() {
            p.text(&format!(", {word} = {width}"));
        }
    }
    p.text(" }>");
}
