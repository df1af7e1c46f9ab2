//! Ways of lowering as options of passes.

use dl_ir::pass::OptionValue;

use super::{ContractLowering, TransposeLowering};

/// A type of which each value has a keyword.
macro_rules! choice {
    ($name:ident { $($case:ident $keyword:literal $meaning:literal,)* }) => {
        impl OptionValue for $name {
            const KIND: &'static str = "value";
            const CHOICES: &'static [(&'static str, &'static str)] = &[$(($keyword, $meaning)),*];

            fn parse(text: Option<&str>) -> Result<Self, String> {
                match text {
                    $(Some($keyword) => Ok($name::$case),)*
                    Some(other) => Err(format!("Cannot find option named '{other}'!")),
                    None => Err("requires a value".to_owned()),
                }
            }

            fn print(&self) -> Option<String> {
                let keyword = match self {
                    $($name::$case => $keyword,)*
                };
                Some(keyword.to_owned())
            }
        }
    };
}

choice!(ContractLowering {
    Dot "dot" "Smaller contractions and dot products",
    LlvmIntr "llvmintr" "The matrix product intrinsic",
    OuterProduct "outerproduct" "Outer products",
    ParallelArith "parallelarith" "Elementwise operations where the reduced dimensions have extent 1",
});

choice!(TransposeLowering {
    EltWise "eltwise" "Extracts and inserts what stays together",
    LlvmIntr "llvmintr" "The matrix transpose intrinsic",
    Shuffle1D "shuffle1d" "One shuffle of all elements",
    Shuffle16x16 "shuffle16x16" "Shuffles that suit 16 by 16 matrices",
});
