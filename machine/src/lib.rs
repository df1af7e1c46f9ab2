//! Descriptions of CPUs: what a cost model and a code generator must know of one.
//!
//! A [`Machine`] is plain data. [`named`] looks one up by the name that LLVM gives the CPU; [`host`] describes the
//! machine that this process runs on, and is the only place that asks it. Everything else works on the description, so the same program and
//! the same description give the same code anywhere.
//!
//! Sizes are in bytes, vector widths in bits.

mod host;
mod names;

pub use host::host;
pub use names::{baseline, named, names};

/// An instruction set architecture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arch {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
    /// 64-bit RISC-V.
    Riscv64,
}

impl Arch {
    /// The name, as the first part of a target triple.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
            Self::Riscv64 => "riscv64",
        }
    }

    /// The architecture of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::X86_64, Self::Aarch64, Self::Riscv64].into_iter().find(|arch| arch.name() == name)
    }
}

/// A cache, as one core sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cache {
    /// Capacity in bytes; 0 where there is no such cache.
    pub size: u64,
    /// Associativity.
    pub ways: u32,
}

/// What is known of a CPU.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// LLVM's name of the CPU.
    pub cpu: String,
    /// Its instruction set.
    pub arch: Arch,
    /// Width of a vector register in bits; 0 where there are none.
    pub vector_bits: u32,
    /// Number of vector registers.
    pub vector_registers: u32,
    /// The first-level data cache.
    pub l1d: Cache,
    /// The second-level cache.
    pub l2: Cache,
    /// The last-level cache, shared by cores.
    pub l3: Cache,
    /// Number of cores that a program may use.
    pub cores: u32,
    /// Instruction set extensions that code generation asks about, by LLVM's names, sorted.
    pub features: Vec<String>,
}

impl Machine {
    /// Whether it has an extension, by LLVM's name of it.
    pub fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|each| each == feature)
    }

    /// How many elements of so many bits a vector register holds; 0 where there are no such registers.
    pub fn lanes(&self, element_bits: u32) -> u32 {
        self.vector_bits.checked_div(element_bits).unwrap_or(0)
    }

    /// Whether a multiplication and an addition are one instruction.
    pub fn has_fma(&self) -> bool {
        match self.arch {
            Arch::X86_64 => self.has("fma"),
            Arch::Aarch64 => true,
            Arch::Riscv64 => self.has("v"),
        }
    }

    /// Whether one instruction adds up products of bytes with a sign and bytes without, four in each lane of 32 bits.
    pub fn has_byte_dots(&self) -> bool {
        self.vector_bits == 512 && self.has("avx512vnni")
    }

    /// Whether one instruction multiplies integers of 16 bits and adds up pairs of products, in each lane of 32 bits, in vectors as wide as any.
    pub fn has_word_dots(&self) -> bool {
        self.arch == Arch::X86_64
            && match self.vector_bits {
                512 => self.has("avx512bw"),
                256 => self.has("avx2"),
                _ => false,
            }
    }

    /// Whether it multiplies matrices of bytes, with any signs, in registers of 16 rows of 64 bytes.
    pub fn has_byte_tiles(&self) -> bool {
        self.vector_bits == 512 && self.has("amx-tile") && self.has("amx-int8")
    }

    /// The same for matrices of `bf16`.
    pub fn has_bf16_tiles(&self) -> bool {
        self.vector_bits == 512 && self.has("amx-tile") && self.has("amx-bf16")
    }

    /// Adds and removes features as a list of `+name` and `-name` with commas says; what follows from vector extensions follows suit.
    ///
    /// # Errors
    /// The first item that begins with neither.
    pub fn with_features(mut self, changes: &str) -> Result<Self, String> {
        for item in changes.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            if let Some(name) = item.strip_prefix('+') {
                if !self.has(name) {
                    self.features.push(name.to_owned());
                }
            } else if let Some(name) = item.strip_prefix('-') {
                self.features.retain(|each| each != name);
            } else {
                return Err(format!("target feature '{item}' does not start with '+' or '-'"));
            }
        }
        self.features.sort_unstable();
        if !changes.is_empty() && self.arch == Arch::X86_64 {
            (self.vector_bits, self.vector_registers) = x86_vectors(&self.features);
        }
        Ok(self)
    }
}

/// Width and number of the vector registers that x86 extensions bring.
fn x86_vectors(features: &[String]) -> (u32, u32) {
    let has = |name: &str| features.iter().any(|each| each == name);
    if has("avx512f") {
        (512, 32)
    } else if has("avx") {
        (256, 16)
    } else {
        (128, 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_change_the_vectors() {
        let machine = named("skylake-avx512").unwrap();
        assert_eq!((machine.lanes(32), machine.vector_registers), (16, 32));
        let narrow = machine.clone().with_features("-avx512f").unwrap();
        assert_eq!((narrow.lanes(32), narrow.vector_registers, narrow.has_fma()), (8, 16, true));
        assert!(!machine.clone().with_features("-fma").unwrap().has_fma());
        // Wider vectors have it with an extension of their own.
        assert!(machine.has_word_dots() && narrow.has_word_dots() && !machine.has_byte_dots());
        assert!(!machine.clone().with_features("-avx512bw").unwrap().has_word_dots());
        assert!(!narrow.with_features("-avx2").unwrap().has_word_dots());
        let tiles = named("sapphirerapids").unwrap();
        assert!(tiles.has_byte_tiles() && tiles.has_bf16_tiles() && !machine.has_byte_tiles());
        let fewer = tiles.clone().with_features("-amx-int8").unwrap();
        assert!(!fewer.has_byte_tiles() && fewer.has_bf16_tiles());
        assert!(!tiles.with_features("-amx-tile").unwrap().has_bf16_tiles());
        assert_eq!(machine.with_features("fma").unwrap_err(), "target feature 'fma' does not start with '+' or '-'");
    }
}
