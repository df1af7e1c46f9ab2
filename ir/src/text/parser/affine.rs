//! Affine maps, integer sets and affine expressions.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Delimiter, Failed, OpParser, Parsed, TokenKind, UnresolvedOperand, guarded};
use crate::affine::{AffineExpr, AffineMap, AffineOp, Constraint, IntegerSet};
use crate::attributes::{Attr, AttrData};
use crate::location::Loc;

/// A map whose dimensions and symbols are values, as in `affine.load %m[%i + 3, symbol(%n)]`.
#[derive(Debug)]
pub struct AffineMapOfValues {
    /// The map.
    pub map: AffineMap,
    /// The values of its dimensions, then those of its symbols. A value that occurs more than once is there once.
    pub dims: SmallVec<[UnresolvedOperand; 4]>,
    /// The values of its symbols.
    pub symbols: SmallVec<[UnresolvedOperand; 4]>,
}

/// What names mean inside an expression. One lives at a time, on the stack.
enum Names<'s> {
    /// `(d0, d1)[s0]`: declared before.
    Declared { ids: FxHashMap<&'s str, AffineExpr>, dims: u32, symbols: u32 },
    /// `%i`, `symbol(%n)`: values, numbered as they occur.
    Values { dims: Values, symbols: Values },
}

type Values = SmallVec<[UnresolvedOperand; 4]>;

impl Names<'_> {
    fn counts(&self) -> (u32, u32) {
        match self {
            Self::Declared { dims, symbols, .. } => (*dims, *symbols),
            Self::Values { dims, symbols } => (dims.len() as u32, symbols.len() as u32),
        }
    }
}

/// A map or a set: they differ after the lists of names.
enum MapOrSet {
    Map(AffineMap),
    Set(IntegerSet),
}

impl<'s> OpParser<'s> {
    /// `affine_map<...>` as an attribute.
    pub(super) fn parse_affine_map_attr(&mut self) -> Parsed<Attr> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in affine map")?;
        let loc = self.loc();
        let map = match self.parse_map_or_set()? {
            MapOrSet::Map(map) => map,
            MapOrSet::Set(_) => {
                return Err(self.syntax_error_at(loc, "expected AffineMap, but got IntegerSet"));
            }
        };
        self.parse_greater()?;
        Ok(self.cx().affine_map_attr(map))
    }

    /// `affine_set<...>` as an attribute.
    pub(super) fn parse_integer_set_attr(&mut self) -> Parsed<Attr> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in integer set")?;
        let loc = self.loc();
        let set = match self.parse_map_or_set()? {
            MapOrSet::Set(set) => set,
            MapOrSet::Map(_) => {
                return Err(self.syntax_error_at(loc, "expected IntegerSet, but got AffineMap"));
            }
        };
        self.parse_greater()?;
        Ok(self.cx().intern_attr(AttrData::IntegerSet(set)))
    }

    /// A map given as attribute text: `affine_map<...>` or an alias of one.
    ///
    /// # Errors
    /// What is wrong with it, or that it is another attribute.
    pub fn parse_affine_map(&mut self) -> Parsed<AffineMap> {
        let loc = self.loc();
        let attr = self.parse_attribute(None)?;
        match self.cx().attr(attr).as_affine_map() {
            Some(map) => Ok(map),
            None => Err(self.syntax_error_at(loc, "invalid kind of attribute specified: expected an affine map")),
        }
    }

    /// `(d0, d1)[s0] -> (d0, d1)`: a map that stands by itself, without `affine_map<...>`.
    ///
    /// # Errors
    /// What is wrong with it, or that it is a set.
    pub fn parse_affine_map_inline(&mut self) -> Parsed<AffineMap> {
        let loc = self.loc();
        match self.parse_map_or_set()? {
            MapOrSet::Map(map) => Ok(map),
            MapOrSet::Set(_) => Err(self.syntax_error_at(loc, "expected AffineMap, but got IntegerSet")),
        }
    }

    /// A set given as attribute text: `affine_set<...>` or an alias of one.
    ///
    /// # Errors
    /// What is wrong with it, or that it is another attribute.
    pub fn parse_integer_set(&mut self) -> Parsed<IntegerSet> {
        let loc = self.loc();
        let attr = self.parse_attribute(None)?;
        match self.cx().attr(attr).as_integer_set() {
            Some(set) => Ok(set),
            None => Err(self.syntax_error_at(loc, "invalid kind of attribute specified: expected an integer set")),
        }
    }

    /// `[expr, expr]` within `delimiter`, of values instead of names: a bare `%v` is a dimension, `symbol(%v)` a symbol.
    ///
    /// # Errors
    /// What is wrong with an expression.
    pub fn parse_affine_map_of_ssa_ids(&mut self, delimiter: Delimiter) -> Parsed<AffineMapOfValues> {
        let mut names = Names::Values { dims: Values::new(), symbols: Values::new() };
        let mut results: SmallVec<[AffineExpr; 4]> = SmallVec::new();
        self.parse_comma_separated_in(delimiter, " in affine map", |p| {
            results.push(p.parse_affine_expr(&mut names)?);
            Ok(())
        })?;
        Ok(self.map_of_values(names, &results))
    }

    /// One expression of values: the only result of the map.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn parse_affine_expr_of_ssa_ids(&mut self) -> Parsed<AffineMapOfValues> {
        let mut names = Names::Values { dims: Values::new(), symbols: Values::new() };
        let result = self.parse_affine_expr(&mut names)?;
        Ok(self.map_of_values(names, &[result]))
    }

    fn map_of_values(&self, names: Names<'_>, results: &[AffineExpr]) -> AffineMapOfValues {
        let (num_dims, num_symbols) = names.counts();
        let (dims, symbols) = match names {
            Names::Values { dims, symbols } => (dims, symbols),
            Names::Declared { .. } => (Values::new(), Values::new()),
        };
        let map = self.cx().affine().intern_map(num_dims, num_symbols, results);
        AffineMapOfValues { map, dims, symbols }
    }

    fn parse_map_or_set(&mut self) -> Parsed<MapOrSet> {
        let mut names = Names::Declared { ids: FxHashMap::default(), dims: 0, symbols: 0 };
        let in_list = " in dimensional identifier list";
        self.parse_comma_separated_in(Delimiter::Paren, in_list, |p| p.declare(&mut names, false))?;
        self.parse_comma_separated_in(Delimiter::OptionalSquare, " in symbol list", |p| p.declare(&mut names, true))?;
        match self.token_kind() {
            TokenKind::Arrow => {
                self.advance();
                self.parse_map_results(&mut names).map(MapOrSet::Map)
            }
            TokenKind::Colon => {
                self.advance();
                self.parse_constraints(&mut names).map(MapOrSet::Set)
            }
            _ => Err(self.expected("expected '->' or ':'")),
        }
    }

    fn declare(&mut self, names: &mut Names<'s>, is_symbol: bool) -> Parsed<()> {
        let Names::Declared { ids, dims, symbols } = names else { return Ok(()) };
        if self.token_kind() != TokenKind::BareIdentifier {
            return Err(self.expected("expected bare identifier"));
        }
        let name = self.token_text();
        if ids.contains_key(name) {
            return Err(self.syntax_error(format!("redefinition of identifier '{name}'")));
        }
        let affine = self.cx().affine();
        let (expr, count) = if is_symbol { (affine.symbol(*symbols), symbols) } else { (affine.dim(*dims), dims) };
        ids.insert(name, expr);
        *count += 1;
        self.advance();
        Ok(())
    }

    fn parse_map_results(&mut self, names: &mut Names<'s>) -> Parsed<AffineMap> {
        let mut results: SmallVec<[AffineExpr; 4]> = SmallVec::new();
        self.expect(TokenKind::LParen, "expected '(' in affine map range")?;
        if !self.parse_optional_r_paren() {
            loop {
                results.push(self.parse_affine_expr(names)?);
                if !self.parse_optional_comma() {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "expected ')' in affine map range")?;
        }
        let (dims, symbols) = names.counts();
        Ok(self.cx().affine().intern_map(dims, symbols, results.as_slice()))
    }

    fn parse_constraints(&mut self, names: &mut Names<'s>) -> Parsed<IntegerSet> {
        let mut constraints: SmallVec<[Constraint; 4]> = SmallVec::new();
        self.expect(TokenKind::LParen, "expected '(' in integer set constraint list")?;
        if !self.parse_optional_r_paren() {
            loop {
                constraints.push(self.parse_constraint(names)?);
                if !self.parse_optional_comma() {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "expected ')' at end of integer set constraint list")?;
        }
        let (dims, symbols) = names.counts();
        Ok(self.cx().affine().intern_set(dims, symbols, constraints.as_slice()))
    }

    /// `expr >= expr`, `expr <= expr`, `expr == expr`: kept as `expr >= 0` or `expr == 0`.
    fn parse_constraint(&mut self, names: &mut Names<'s>) -> Parsed<Constraint> {
        const MESSAGE: &str = "expected '== affine-expr' or '>= affine-expr' at end of affine constraint";
        let affine = self.cx().affine();
        let lhs = self.parse_affine_expr(names)?;
        let relation = self.token_kind();
        if !matches!(relation, TokenKind::Greater | TokenKind::Less | TokenKind::Equal) {
            return Err(self.syntax_error(MESSAGE));
        }
        self.advance();
        if !self.parse_optional_equal() {
            return Err(self.syntax_error(MESSAGE));
        }
        let rhs = self.parse_affine_expr(names)?;
        let expr = if relation == TokenKind::Less { affine.sub(rhs, lhs) } else { affine.sub(lhs, rhs) };
        Ok(Constraint { expr, is_equality: relation == TokenKind::Equal })
    }

    /// A sum of products.
    fn parse_affine_expr(&mut self, names: &mut Names<'s>) -> Parsed<AffineExpr> {
        let affine = self.cx().affine();
        let mut sum = self.parse_affine_product(names)?;
        loop {
            match self.token_kind() {
                TokenKind::Plus => {
                    self.advance();
                    let term = self.parse_right_operand(names, Self::parse_affine_product)?;
                    sum = affine.add(sum, term);
                }
                TokenKind::Minus => {
                    self.advance();
                    let term = self.parse_right_operand(names, Self::parse_affine_product)?;
                    sum = affine.sub(sum, term);
                }
                _ => return Ok(sum),
            }
        }
    }

    fn parse_affine_product(&mut self, names: &mut Names<'s>) -> Parsed<AffineExpr> {
        let affine = self.cx().affine();
        let mut product = self.parse_affine_operand(names)?;
        loop {
            let op = match self.token_kind() {
                TokenKind::Star => AffineOp::Mul,
                TokenKind::BareIdentifier => match self.token_bytes() {
                    b"mod" => AffineOp::Mod,
                    b"floordiv" => AffineOp::FloorDiv,
                    b"ceildiv" => AffineOp::CeilDiv,
                    _ => return Ok(product),
                },
                _ => return Ok(product),
            };
            let loc = self.loc();
            self.advance();
            let rhs = self.parse_right_operand(names, Self::parse_affine_operand)?;
            self.check_affine(op, product, rhs, loc)?;
            product = affine.binary(op, product, rhs);
        }
    }

    fn parse_right_operand(
        &mut self,
        names: &mut Names<'s>,
        parse: fn(&mut Self, &mut Names<'s>) -> Parsed<AffineExpr>,
    ) -> Parsed<AffineExpr> {
        if !self.begins_affine_operand() {
            return Err(self.syntax_error("missing right operand of binary operator"));
        }
        parse(self, names)
    }

    fn begins_affine_operand(&self) -> bool {
        matches!(
            self.token_kind(),
            TokenKind::BareIdentifier
                | TokenKind::PercentIdentifier
                | TokenKind::Integer
                | TokenKind::LParen
                | TokenKind::Minus
        )
    }

    /// Of a product one side is symbolic; what divides is.
    fn check_affine(&mut self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr, loc: Loc) -> Parsed<()> {
        let affine = self.cx().affine();
        let symbolic = |expr| affine.is_symbolic_or_constant(expr);
        let (fits, what) = match op {
            AffineOp::Add => (true, ""),
            AffineOp::Mul => (
                symbolic(rhs) || symbolic(lhs),
                "at least one of the multiply operands has to be either a constant or symbolic",
            ),
            AffineOp::Mod => (symbolic(rhs), "right operand of mod has to be either a constant or symbolic"),
            AffineOp::FloorDiv => (symbolic(rhs), "right operand of floordiv has to be either a constant or symbolic"),
            AffineOp::CeilDiv => (symbolic(rhs), "right operand of ceildiv has to be either a constant or symbolic"),
        };
        self.require(fits, loc, || format!("non-affine expression: {what}"))
    }

    /// A name, a number, `-operand` or `(expr)`.
    fn parse_affine_operand(&mut self, names: &mut Names<'s>) -> Parsed<AffineExpr> {
        let affine = self.cx().affine();
        match self.token_kind() {
            TokenKind::Integer => match super::tokens::int_value(self.token_bytes(), false) {
                Some(value) if !self.token_bytes().starts_with(b"0x") || value >= 0 => {
                    self.advance();
                    Ok(affine.constant(value))
                }
                _ => Err(self.syntax_error("constant too large for index")),
            },
            TokenKind::Minus => {
                self.advance();
                let begins = self.begins_affine_operand();
                match if begins { guarded(|| self.parse_affine_operand(names)) } else { Err(Failed) } {
                    Ok(operand) => Ok(affine.neg(operand)),
                    Err(Failed) => Err(self.expected("missing operand of negation")),
                }
            }
            TokenKind::LParen => {
                self.advance();
                if self.token_kind() == TokenKind::RParen {
                    return Err(self.syntax_error("no expression inside parentheses"));
                }
                let expr = guarded(|| self.parse_affine_expr(names))?;
                self.parse_r_paren()?;
                Ok(expr)
            }
            TokenKind::BareIdentifier | TokenKind::PercentIdentifier => self.parse_affine_name(names),
            TokenKind::Plus | TokenKind::Star => Err(self.syntax_error("missing left operand of binary operator")),
            _ => Err(self.syntax_error("expected affine expression")),
        }
    }

    fn parse_affine_name(&mut self, names: &mut Names<'s>) -> Parsed<AffineExpr> {
        let affine = self.cx().affine();
        match names {
            Names::Declared { ids, .. } => {
                let name = (self.token_kind() == TokenKind::BareIdentifier).then(|| self.token_text());
                match name.and_then(|name| ids.get(name).copied()) {
                    Some(expr) => {
                        self.advance();
                        Ok(expr)
                    }
                    None => Err(self.expected("use of undeclared identifier")),
                }
            }
            Names::Values { dims, symbols } => {
                let is_symbol = self.parse_optional_keyword("symbol");
                if is_symbol {
                    self.parse_l_paren()?;
                }
                let position = self.parse_affine_value(if is_symbol { symbols } else { dims })?;
                if is_symbol {
                    self.parse_r_paren()?;
                    return Ok(affine.symbol(position));
                }
                Ok(affine.dim(position))
            }
        }
    }

    /// A value: its position among those met so far.
    fn parse_affine_value(&mut self, values: &mut Values) -> Parsed<u32> {
        let operand = self.parse_operand()?;
        let known = values.iter().position(|&value| self.is_same_operand(value, operand));
        if known.is_none() {
            values.push(operand);
        }
        Ok(known.unwrap_or(values.len() - 1) as u32)
    }
}
