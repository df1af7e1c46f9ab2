//! Parsing of types, with the checks on their parameters.

use dl_ir::number::float;
use dl_ir::text::{Delimiter, OpParser, Parsed};
use dl_ir::{Attr, FloatKind, Loc, Type};

use crate::types::{Scheme, Storage, Uniform, any_type, calibrated_type};

/// Nesting that is handled on one stack segment before the next is allocated.
const RED_ZONE: usize = 64 * 1024;
const SEGMENT: usize = 1024 * 1024;

/// `<storage:expressed>` or `<storage>`.
pub(super) fn any(p: &mut OpParser<'_>) -> Parsed<Type> {
    let start = p.loc();
    p.parse_less()?;
    let storage = parse_storage(p)?;
    let expressed = if p.parse_optional_colon() { Some(parse_float_type(p)?.0) } else { None };
    p.parse_greater()?;
    check_range(p, start, storage)?;
    Ok(any_type(p.cx(), storage, expressed))
}

/// `<expressed<min:max>>`.
pub(super) fn calibrated(p: &mut OpParser<'_>) -> Parsed<Type> {
    let start = p.loc();
    p.parse_less()?;
    let (expressed, _) = parse_float_type(p)?;
    let loc = p.loc();
    let Ok((min, max)) = parse_float_range(p) else {
        return Err(p.error_at(loc, "calibrated values must be present"));
    };
    p.parse_greater()?;
    if max <= min {
        let message = format!("illegal min and max: ({}:{})", exponential(min), exponential(max));
        return Err(p.error_at(start, message));
    }
    Ok(calibrated_type(p.cx(), expressed, min, max))
}

/// `<min:max>`.
fn parse_float_range(p: &mut OpParser<'_>) -> Parsed<(f64, f64)> {
    p.parse_less()?;
    let min = p.parse_float()?;
    p.parse_colon()?;
    let max = p.parse_float()?;
    p.parse_greater()?;
    Ok((min, max))
}

fn parse_float_type(p: &mut OpParser<'_>) -> Parsed<(Type, FloatKind)> {
    let loc = p.loc();
    let ty = p.parse_type()?;
    match p.cx().ty(ty).float_kind() {
        Some(kind) => Ok((ty, kind)),
        None => Err(p.error_at(loc, "invalid kind of type specified")),
    }
}

/// `i8`, `u8` or `i8<-8:7>`.
fn parse_storage(p: &mut OpParser<'_>) -> Parsed<Storage> {
    let (ty, width, signed) = parse_storage_type(p)?;
    let (least, greatest) = Storage::full_range(width, signed);
    if !p.parse_optional_less() {
        return Ok(Storage { ty, signed, min: least, max: greatest });
    }
    let min_loc = p.loc();
    let min = p.parse_integer()?;
    p.parse_colon()?;
    let max_loc = p.loc();
    let max = p.parse_integer()?;
    p.parse_greater()?;
    if min < least {
        return Err(p.error_at(min_loc, format!("illegal storage type minimum: {min}")));
    }
    if max > greatest {
        return Err(p.error_at(max_loc, format!("illegal storage type maximum: {max}")));
    }
    Ok(Storage { ty, signed, min, max })
}

/// An integer type, or `u8` for a signless one that is read as unsigned: the type, its width, and whether it is read as signed.
fn parse_storage_type(p: &mut OpParser<'_>) -> Parsed<(Type, u32, bool)> {
    let (cx, loc) = (p.cx(), p.loc());
    let unsigned = p.token_word().and_then(|word| word.strip_prefix('u')).and_then(|digits| digits.parse().ok());
    let (ty, width) = if let Some(width) = unsigned {
        p.parse_any_keyword()?;
        (None, width)
    } else {
        let Some(ty) = p.parse_optional_type()? else { return Err(p.error_at(loc, "illegal storage type prefix")) };
        let Some(width) = cx.ty(ty).int_width() else {
            return Err(p.error_at(loc, "invalid kind of type specified"));
        };
        (Some(ty), width)
    };
    if width == 0 || width > Storage::MAX_WIDTH {
        return Err(p.error_at(loc, format!("illegal storage type size: {width}")));
    }
    // `ui8` is `u8`: the text of the type does not tell them apart, so neither does the type.
    Ok((cx.int_type(width), width, ty.is_some_and(|ty| !cx.ty(ty).is_unsigned_integer())))
}

fn check_range(p: &mut OpParser<'_>, loc: Loc, of: Storage) -> Parsed<()> {
    if of.min < of.max {
        return Ok(());
    }
    Err(p.error_at(loc, format!("illegal storage min and storage max: ({}:{})", of.min, of.max)))
}

/// `<storage:expressed, scale:zero>`, with an axis or blocks behind the expressed type and braces around scales and zero points.
pub(super) fn uniform(p: &mut OpParser<'_>) -> Parsed<Type> {
    let start = p.loc();
    p.parse_less()?;
    let storage = parse_storage(p)?;
    p.parse_colon()?;
    let (expressed, kind) = parse_float_type(p)?;
    let mut scheme = parse_scheme(p)?;
    p.parse_comma()?;
    let mut quanta = Quanta { kind, scales: Vec::new(), zero_points: Vec::new() };
    match &mut scheme {
        Scheme::PerLayer => quanta.parse_one(p)?,
        Scheme::PerAxis(_) => {
            p.parse_l_brace()?;
            quanta.parse_rest_of_list(p)?;
        }
        Scheme::Blocks { shape, .. } => {
            p.parse_l_brace()?;
            *shape = quanta.parse_rest_of_list(p)?;
        }
    }
    p.parse_greater()?;
    check_range(p, start, storage)?;
    check_scheme(p, start, &scheme)?;
    let cx = p.cx();
    let in_blocks = matches!(scheme, Scheme::Blocks { .. });
    let ty = if in_blocks { expressed } else { cx.float_type(FloatKind::F64) };
    let scales: Vec<Attr> = quanta.scales.iter().map(|&scale| cx.float_attr(ty, scale)).collect();
    if in_blocks {
        let width = cx.ty(storage.ty).int_width().unwrap_or(Storage::MAX_WIDTH);
        quanta.zero_points.iter_mut().for_each(|zero_point| *zero_point = wrapped(*zero_point, width));
    }
    Ok(Uniform { storage, expressed, scheme, scales, zero_points: quanta.zero_points }.ty(cx))
}

/// The low `width` bits of `value`, read as signed.
fn wrapped(value: i64, width: u32) -> i64 {
    let unused = 64 - width;
    value << unused >> unused
}

/// `:1` is an axis, `:{0:1, 1:2}` block sizes by axis.
fn parse_scheme(p: &mut OpParser<'_>) -> Parsed<Scheme> {
    if !p.parse_optional_colon() {
        return Ok(Scheme::PerLayer);
    }
    if !p.parse_optional_l_brace() {
        return Ok(Scheme::PerAxis(parse_axis(p)?));
    }
    let mut sizes = Vec::new();
    if !p.parse_optional_r_brace() {
        p.parse_comma_separated(Delimiter::None, |p| {
            let axis = parse_axis(p)?;
            p.parse_colon()?;
            sizes.push((axis, p.parse_integer()?));
            Ok(())
        })?;
        p.parse_r_brace()?;
    }
    Ok(Scheme::Blocks { sizes, shape: Vec::new() })
}

fn parse_axis(p: &mut OpParser<'_>) -> Parsed<i32> {
    let loc = p.loc();
    let axis = p.parse_integer()?;
    i32::try_from(axis).map_err(|_| p.error_at(loc, "integer value too large"))
}

fn check_scheme(p: &mut OpParser<'_>, loc: Loc, scheme: &Scheme) -> Parsed<()> {
    let (axes, sizes): (Vec<i32>, Vec<i64>) = match scheme {
        Scheme::PerLayer => return Ok(()),
        Scheme::PerAxis(axis) => (vec![*axis], Vec::new()),
        Scheme::Blocks { sizes, .. } => sizes.iter().copied().unzip(),
    };
    if let Some(axis) = axes.iter().find(|axis| **axis < 0) {
        return Err(p.error_at(loc, format!("illegal quantized dimension: {axis}")));
    }
    if let Some(size) = sizes.iter().find(|size| **size <= 0) {
        return Err(p.error_at(loc, format!("illegal block size: {size}")));
    }
    Ok(())
}

/// Scales and zero points, in the order of the text.
struct Quanta {
    /// What the scales must fit into.
    kind: FloatKind,
    scales: Vec<f64>,
    zero_points: Vec<i64>,
}

impl Quanta {
    /// `scale` or `scale:zero`.
    fn parse_one(&mut self, p: &mut OpParser<'_>) -> Parsed<()> {
        let scale = p.parse_float()?;
        let (least, greatest) =
            (float::to_f64(self.kind, 1), float::to_f64(self.kind, float::largest(self.kind, false)));
        if !(least..=greatest).contains(&scale) {
            let [scale, least, greatest] = [scale, least, greatest].map(exponential);
            return Err(p.error(format!("scale {scale} out of expressed type range [{least}, {greatest}]")));
        }
        self.scales.push(scale);
        let zero_point = if p.parse_optional_colon() { p.parse_integer()? } else { 0 };
        self.zero_points.push(zero_point);
        Ok(())
    }

    /// After `{`: several of those, or several such lists of one shape, then `}`. Returns the shape.
    fn parse_rest_of_list(&mut self, p: &mut OpParser<'_>) -> Parsed<Vec<i64>> {
        let (mut len, mut inner): (i64, Option<Vec<i64>>) = (0, None);
        p.parse_comma_separated(Delimiter::None, |p| {
            let shape = if p.parse_optional_l_brace() {
                stacker::maybe_grow(RED_ZONE, SEGMENT, || self.parse_rest_of_list(p))?
            } else {
                self.parse_one(p)?;
                Vec::new()
            };
            len += 1;
            if *inner.get_or_insert_with(|| shape.clone()) != shape {
                let message = "tensor literal is invalid; ranks are not consistent between elements";
                return Err(p.error(message));
            }
            Ok(())
        })?;
        p.parse_r_brace()?;
        Ok(std::iter::once(len).chain(inner.unwrap_or_default()).collect())
    }
}

/// `value` as messages have it: `1.500000e+00`.
fn exponential(value: f64) -> String {
    let text = format!("{value:.6e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}
