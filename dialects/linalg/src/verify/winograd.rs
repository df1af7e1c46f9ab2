//! The transforms of a Winograd convolution `F(m, r)`: filters of `r`, output tiles of `m`, input tiles of `m + r - 1` elements.
//!
//! A transform runs over rows, columns or both. A dimension of extent 1 where a tile would be says that it does not run over that one.

use dl_ir::{DYNAMIC, Diagnostic, OpRef};

use crate::WinogradConv2DFmr;

/// `m` and `r`.
pub(crate) fn winograd_tile(op: OpRef<'_>) -> Option<(i64, i64)> {
    Some(match WinogradConv2DFmr::from_attr(op.attr("fmr")?)? {
        WinogradConv2DFmr::F23 => (2, 3),
        WinogradConv2DFmr::F43 => (4, 3),
        WinogradConv2DFmr::F25 => (2, 5),
    })
}

fn shapes<const I: usize, const O: usize>(op: OpRef<'_>) -> Option<(&[i64; I], &[i64; O])> {
    let shape = |i| op.operands().get(i)?.ty().shape();
    Some((shape(0)?.try_into().ok()?, shape(1)?.try_into().ok()?))
}

/// Height, width, channels, filters: a tile for each extent of `r`.
pub(crate) fn winograd_filter(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some((m, r)), Some((&[filters, height, width, channels], output))) = (winograd_tile(op), shapes::<4, 4>(op))
    else {
        return Ok(());
    };
    if height != r && height != 1 {
        return Err(op.error("expect filter height either equals to r or 1"));
    }
    if width != r && width != 1 {
        return Err(op.error("expect filter width either equals to r or 1"));
    }
    if height == 1 && width == 1 {
        return Err(op.error("expect either filter height or width equals to r"));
    }
    let transformed = |extent| if extent == r { m + r - 1 } else { 1 };
    expect_output(op, &[transformed(height), transformed(width), channels, filters], output)
}

/// Tile height and width, tiles in rows and columns, images, channels.
pub(crate) fn winograd_input(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some((m, r)), Some((&[images, height, width, channels], output))) = (winograd_tile(op), shapes::<4, 6>(op))
    else {
        return Ok(());
    };
    let tiles = |extent: i64, transforms: bool| match (extent, transforms) {
        (DYNAMIC, _) => (m + r - 1, DYNAMIC),
        (_, true) => (m + r - 1, (extent - (r - 1)) / m),
        (_, false) => (1, extent),
    };
    let (tile_height, rows) = tiles(height, output[0] != 1);
    let (tile_width, columns) = tiles(width, output[1] != 1);
    expect_output(op, &[tile_height, tile_width, rows, columns, images, channels], output)
}

/// Images, height, width, filters.
pub(crate) fn winograd_output(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some((m, r)), Some((&[tile_height, tile_width, rows, columns, images, filters], output))) =
        (winograd_tile(op), shapes::<6, 4>(op))
    else {
        return Ok(());
    };
    let extent = |tile: i64, count: i64, name: &str| {
        let (expected, step) = if tile == 1 { (1, 1) } else { (m + r - 1, m) };
        if tile == DYNAMIC || count == DYNAMIC {
            Ok(DYNAMIC)
        } else if tile == expected {
            Ok(count.saturating_mul(step))
        } else {
            Err(op.error(format_args!("expect input {name} equals to input tile size")))
        }
    };
    let expected = [images, extent(tile_height, rows, "height")?, extent(tile_width, columns, "width")?, filters];
    expect_output(op, &expected, output)
}

fn expect_output<const N: usize>(op: OpRef<'_>, expected: &[i64; N], output: &[i64; N]) -> Result<(), Diagnostic> {
    let fits = |(&a, &b): (&i64, &i64)| a == DYNAMIC || b == DYNAMIC || a == b;
    if expected.iter().zip(output).all(fits) { Ok(()) } else { Err(op.error("the output shape is not expected")) }
}
