//! What `convert-vector-to-llvm` can be told.

use dl_ir::pass::OptionValue;
use dl_passes_vector::lowering::{ContractLowering, TransposeLowering};

/// [`ContractLowering`] as an option.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ContractChoice(pub ContractLowering);

/// [`TransposeLowering`] as an option.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TransposeChoice(pub TransposeLowering);

/// A type of which each value has a keyword.
macro_rules! choice {
    ($name:ident of $inner:ident { $($case:ident $keyword:literal $meaning:literal,)* }) => {
        impl OptionValue for $name {
            const KIND: &'static str = "value";
            const CHOICES: &'static [(&'static str, &'static str)] = &[$(($keyword, $meaning)),*];

            fn parse(text: Option<&str>) -> Result<Self, String> {
                match text {
                    $(Some($keyword) => Ok(Self($inner::$case)),)*
                    Some(other) => Err(format!("Cannot find option named '{other}'!")),
                    None => Err("requires a value".to_owned()),
                }
            }

            fn print(&self) -> Option<String> {
                let keyword = match self.0 {
                    $($inner::$case => $keyword,)*
                };
                Some(keyword.to_owned())
            }
        }
    };
}

choice!(ContractChoice of ContractLowering {
    Dot "dot" "Smaller contractions and dot products",
    LlvmIntr "llvmintr" "The matrix product intrinsic",
    OuterProduct "outerproduct" "Outer products",
    ParallelArith "parallelarith" "Elementwise operations where the reduced dimensions have extent 1",
});

choice!(TransposeChoice of TransposeLowering {
    EltWise "eltwise" "Extracts and inserts what stays together",
    LlvmIntr "llvmintr" "The matrix transpose intrinsic",
    Shuffle1D "shuffle1d" "One shuffle of all elements",
    Shuffle16x16 "shuffle16x16" "Shuffles that suit 16 by 16 matrices",
});

dl_ir::pass_options! {
    /// Options of [`ConvertVectorToLlvm`](super::ConvertVectorToLlvm).
    pub struct VectorToLlvmOptions {
        /// Let floating-point reductions be reordered
        reassociate_fp_reductions "reassociate-fp-reductions": bool = false,
        /// Take indices into vectors for 32 bits wide
        force_32bit_vector_indices "force-32bit-vector-indices": bool = true,
        /// Take accesses to be aligned as their vector type prefers rather than as its element type
        use_vector_alignment "use-vector-alignment": bool = false,
        /// Use the AMX dialect
        enable_amx "enable-amx": bool = false,
        /// Use the Neon dialect
        enable_arm_neon "enable-arm-neon": bool = false,
        /// Use the SVE dialect
        enable_arm_sve "enable-arm-sve": bool = false,
        /// Use the 8-bit integer matrix instructions of Arm
        enable_arm_i8mm "enable-arm-i8mm": bool = false,
        /// Use the bfloat16 instructions of Arm
        enable_arm_bf16 "enable-arm-bf16": bool = false,
        /// Use the x86 vector dialect
        enable_x86vector "enable-x86vector": bool = false,
        /// How contractions are lowered
        vector_contract_lowering "vector-contract-lowering": ContractChoice = ContractChoice::default(),
        /// How transpositions are lowered
        vector_transpose_lowering "vector-transpose-lowering": TransposeChoice = TransposeChoice::default(),
    }
}

impl VectorToLlvmOptions {
    /// An option that asks for a dialect that there is none of.
    pub(super) fn missing_dialect(&self) -> Option<&'static str> {
        let asked = [
            (self.enable_amx, "enable-amx"),
            (self.enable_arm_neon, "enable-arm-neon"),
            (self.enable_arm_sve, "enable-arm-sve"),
            (self.enable_x86vector, "enable-x86vector"),
        ];
        asked.into_iter().find(|(asked, _)| *asked).map(|(_, name)| name)
    }
}
