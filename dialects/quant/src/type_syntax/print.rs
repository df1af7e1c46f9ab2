//! Printing of types.

use dl_ir::text::AsmPrinter;
use dl_ir::{Attr, Context};

use crate::types::{Scheme, Storage, Uniform};

/// `i8<-8:7>`, without the range where all values are in it.
fn print_storage(of: Storage, p: &mut AsmPrinter<'_>) {
    let width = p.cx().ty(of.ty).int_width().unwrap_or(0);
    p.text(if of.signed { "i" } else { "u" });
    p.text(&width.to_string());
    if width == 0 || (of.min, of.max) != Storage::full_range(width, of.signed) {
        p.text(&format!("<{}:{}>", of.min, of.max));
    }
}

fn print_type(cx: &Context, ty: Attr, p: &mut AsmPrinter<'_>) {
    if let Some(ty) = cx.attr(ty).as_type() {
        p.ty(ty.id());
    }
}

/// `<storage:expressed>` or `<storage>`.
pub(super) fn any(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    p.text("<");
    if let Some(storage) = Storage::of(cx, params) {
        print_storage(storage, p);
    }
    if let Some(&expressed) = params.get(3).filter(|&&expressed| cx.attr(expressed).is_type()) {
        p.text(":");
        print_type(cx, expressed, p);
    }
    p.text(">");
}

/// `<expressed<min:max>>`.
pub(super) fn calibrated(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[expressed, min, max] = params else { return };
    p.text("<");
    print_type(p.cx(), expressed, p);
    p.text("<");
    p.attr_without_type(min);
    p.text(":");
    p.attr_without_type(max);
    p.text(">>");
}

/// `<storage:expressed, scale:zero>`, with an axis or blocks behind the expressed type and braces around scales and zero points.
pub(super) fn uniform(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let Some(of) = Uniform::of_params(p.cx(), params) else { return };
    p.text("<");
    print_storage(of.storage, p);
    p.text(":");
    p.ty(of.expressed);
    match &of.scheme {
        Scheme::PerLayer => {
            p.text(", ");
            print_quantum(&of, 0, p);
        }
        Scheme::PerAxis(axis) => {
            p.text(&format!(":{axis}, {{"));
            p.separated(0..of.scales.len(), ",", |p, i| print_quantum(&of, i, p));
            p.text("}");
        }
        Scheme::Blocks { sizes, shape } => {
            p.text(":{");
            p.comma_separated(sizes, |p, (axis, size)| p.text(&format!("{axis}:{size}")));
            p.text("}, ");
            print_nested(&of, shape, p);
        }
    }
    p.text(">");
}

/// `scale:zero`, without a zero point that is 0.
fn print_quantum(of: &Uniform, at: usize, p: &mut AsmPrinter<'_>) {
    let (Some(&scale), Some(&zero_point)) = (of.scales.get(at), of.zero_points.get(at)) else { return };
    p.attr_without_type(scale);
    if zero_point != 0 {
        p.text(&format!(":{zero_point}"));
    }
}

/// Lists in lists, as many levels as `shape` has axes.
fn print_nested(of: &Uniform, shape: &[i64], p: &mut AsmPrinter<'_>) {
    // How many elements lie in one list of each level.
    let mut lens: Vec<usize> = Vec::with_capacity(shape.len());
    for &dim in shape.iter().rev() {
        let inner = lens.last().copied().unwrap_or(1);
        lens.push(inner.saturating_mul(usize::try_from(dim).unwrap_or(0)).max(1));
    }
    for at in 0..of.scales.len() {
        p.text(if at == 0 { "" } else { ", " });
        lens.iter().filter(|&len| at % len == 0).for_each(|_| p.text("{"));
        print_quantum(of, at, p);
        lens.iter().filter(|&len| (at + 1) % len == 0).for_each(|_| p.text("}"));
    }
}
