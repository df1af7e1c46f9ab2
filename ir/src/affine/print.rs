//! The text of expressions, maps and sets, as it stands inside `affine_map<...>` and `affine_set<...>`.

use super::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore, IntegerSet};

/// A dimension or a symbol, where something else stands for it in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineId {
    /// A dimension.
    Dim(u32),
    /// A symbol.
    Symbol(u32),
}

/// What is left to print, last first.
enum Piece {
    Text(&'static str),
    Number(i64),
    /// An expression, in parentheses if it is a binary one and `tight` says that it stands under a product.
    Expr {
        expr: AffineExpr,
        tight: bool,
    },
}

impl AffineStore {
    /// Appends `expr`, as `d0 + s0 * 2`.
    pub fn print_expr(&self, expr: AffineExpr, out: &mut String) {
        self.print_expr_with(expr, out, print_id);
    }

    /// Appends `expr`, with `name` writing its dimensions and symbols.
    pub fn print_expr_with(&self, expr: AffineExpr, out: &mut String, mut name: impl FnMut(&mut String, AffineId)) {
        let mut pieces = vec![Piece::Expr { expr, tight: false }];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Number(value) => out.push_str(itoa::Buffer::new().format(value)),
                Piece::Expr { expr, tight } => match self.expr(expr) {
                    AffineExprData::Dim(position) => name(out, AffineId::Dim(position)),
                    AffineExprData::Symbol(position) => name(out, AffineId::Symbol(position)),
                    AffineExprData::Constant(value) => pieces.push(Piece::Number(value)),
                    AffineExprData::Binary { op, lhs, rhs } => {
                        if tight {
                            out.push('(');
                            pieces.push(Piece::Text(")"));
                        }
                        self.push_binary(op, lhs, rhs, &mut pieces);
                    }
                },
            }
        }
    }

    fn push_binary(&self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr, pieces: &mut Vec<Piece>) {
        let expr = |expr, tight| Piece::Expr { expr, tight };
        let sign = match op {
            AffineOp::Add => return self.push_sum(lhs, rhs, pieces),
            AffineOp::Mul if self.constant_value(rhs) == Some(-1) => {
                return pieces.extend([expr(lhs, true), Piece::Text("-")]);
            }
            AffineOp::Mul => " * ",
            AffineOp::Mod => " mod ",
            AffineOp::FloorDiv => " floordiv ",
            AffineOp::CeilDiv => " ceildiv ",
        };
        pieces.extend([expr(rhs, true), Piece::Text(sign), expr(lhs, true)]);
    }

    /// A negative right operand makes the sum a difference.
    fn push_sum(&self, lhs: AffineExpr, rhs: AffineExpr, pieces: &mut Vec<Piece>) {
        let expr = |expr, tight| Piece::Expr { expr, tight };
        match (self.constant_value(rhs), self.with_constant(rhs, AffineOp::Mul)) {
            (Some(value), _) if value < 0 => {
                pieces.extend([Piece::Number(value.wrapping_neg()), Piece::Text(" - ")]);
            }
            (_, Some((factor, -1))) => {
                let sum = self.operands(factor, AffineOp::Add).is_some();
                pieces.extend([expr(factor, sum), Piece::Text(" - ")]);
            }
            (_, Some((factor, value))) if value < -1 => pieces.extend([
                Piece::Number(value.wrapping_neg()),
                Piece::Text(" * "),
                expr(factor, true),
                Piece::Text(" - "),
            ]),
            _ => pieces.extend([expr(rhs, false), Piece::Text(" + ")]),
        }
        pieces.push(expr(lhs, false));
    }

    /// Appends `map`, as `(d0, d1)[s0] -> (d0 + s0, d1 mod 2)`.
    pub fn print_map(&self, map: AffineMap, out: &mut String) {
        let data = self.map(map);
        print_inputs(data.num_dims, data.num_symbols, out);
        out.push_str(" -> (");
        for (i, result) in data.results.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            self.print_expr(*result, out);
        }
        out.push(')');
    }

    /// Appends `set`, as `(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)`.
    pub fn print_set(&self, set: IntegerSet, out: &mut String) {
        let data = self.set(set);
        print_inputs(data.num_dims, data.num_symbols, out);
        out.push_str(" : (");
        for (i, constraint) in data.constraints.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            self.print_expr(constraint.expr, out);
            out.push_str(if constraint.is_equality { " == 0" } else { " >= 0" });
        }
        out.push(')');
    }
}

fn print_id(out: &mut String, id: AffineId) {
    let (letter, position) = match id {
        AffineId::Dim(position) => ('d', position),
        AffineId::Symbol(position) => ('s', position),
    };
    out.push(letter);
    out.push_str(itoa::Buffer::new().format(position));
}

fn print_inputs(num_dims: u32, num_symbols: u32, out: &mut String) {
    print_list('(', num_dims, AffineId::Dim, ')', out);
    if num_symbols != 0 {
        print_list('[', num_symbols, AffineId::Symbol, ']', out);
    }
}

fn print_list(open: char, count: u32, id: fn(u32) -> AffineId, close: char, out: &mut String) {
    out.push(open);
    for position in 0..count {
        out.push_str(if position == 0 { "" } else { ", " });
        print_id(out, id(position));
    }
    out.push(close);
}
