//! What `convert-vector-to-llvm` can be told.

use dl_passes_vector::lowering::{ContractLowering, TransposeLowering};

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
        vector_contract_lowering "vector-contract-lowering": ContractLowering = ContractLowering::default(),
        /// How transpositions are lowered
        vector_transpose_lowering "vector-transpose-lowering": TransposeLowering = TransposeLowering::default(),
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
