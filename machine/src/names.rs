//! CPUs by name.
//!
//! Names are LLVM's. Sizes are those of the usual server or desktop part with that core; the last-level cache is what one
//! cluster of cores shares, as published by the makers.

use crate::{Arch, Cache, Machine, x86_vectors};

const X86_64_V2: &[&str] = &["sse4.2", "ssse3"];
const X86_64_V3: &[&str] = &["avx", "avx2", "f16c", "fma", "sse4.2", "ssse3"];
const X86_64_V4: &[&str] =
    &["avx", "avx2", "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "f16c", "fma", "sse4.2", "ssse3"];
const VNNI: &[&str] = &["avx512vnni"];
const VNNI_BF16: &[&str] = &["avx512bf16", "avx512vnni"];
const SAPPHIRE_RAPIDS: &[&str] = &["amx-bf16", "amx-int8", "amx-tile", "avx512bf16", "avx512fp16", "avx512vnni"];
const NEON: &[&str] = &["neon"];
const NEON_V8_2: &[&str] = &["dotprod", "fullfp16", "neon"];
const NEON_V8_6: &[&str] = &["bf16", "dotprod", "fullfp16", "i8mm", "neon"];

/// Name, architecture, features in two parts, bits and number of vector registers (`None`: as the x86 features say), caches in KiB and
/// their ways, cores.
struct Row(
    &'static str,
    Arch,
    &'static [&'static str],
    &'static [&'static str],
    Option<(u32, u32)>,
    [(u64, u32); 3],
    u32,
);

#[rustfmt::skip]
const CPUS: &[Row] = &[
    Row("x86-64", Arch::X86_64, &[], &[], None, [(32, 8), (256, 8), (8192, 16)], 4),
    Row("x86-64-v2", Arch::X86_64, X86_64_V2, &[], None, [(32, 8), (256, 8), (8192, 16)], 4),
    Row("x86-64-v3", Arch::X86_64, X86_64_V3, &[], None, [(32, 8), (256, 8), (8192, 16)], 4),
    Row("x86-64-v4", Arch::X86_64, X86_64_V4, &[], None, [(32, 8), (1024, 16), (16384, 11)], 4),
    Row("haswell", Arch::X86_64, X86_64_V3, &[], None, [(32, 8), (256, 8), (8192, 16)], 4),
    Row("skylake", Arch::X86_64, X86_64_V3, &[], None, [(32, 8), (256, 4), (8192, 16)], 4),
    Row("skylake-avx512", Arch::X86_64, X86_64_V4, &[], None, [(32, 8), (1024, 16), (33792, 11)], 24),
    Row("cascadelake", Arch::X86_64, X86_64_V4, VNNI, None, [(32, 8), (1024, 16), (36608, 11)], 26),
    Row("icelake-server", Arch::X86_64, X86_64_V4, VNNI, None, [(48, 12), (1280, 20), (49152, 12)], 32),
    Row("sapphirerapids", Arch::X86_64, X86_64_V4, SAPPHIRE_RAPIDS, None, [(48, 12), (2048, 16), (107_520, 15)], 56),
    Row("znver2", Arch::X86_64, X86_64_V3, &[], None, [(32, 8), (512, 8), (16384, 16)], 8),
    Row("znver3", Arch::X86_64, X86_64_V3, &[], None, [(32, 8), (512, 8), (32768, 16)], 8),
    Row("znver4", Arch::X86_64, X86_64_V4, VNNI_BF16, None, [(32, 8), (1024, 8), (32768, 16)], 8),
    Row("znver5", Arch::X86_64, X86_64_V4, VNNI_BF16, None, [(48, 12), (1024, 16), (32768, 16)], 8),
    Row("generic-aarch64", Arch::Aarch64, NEON, &[], Some((128, 32)), [(32, 2), (512, 16), (2048, 16)], 4),
    Row("cortex-a72", Arch::Aarch64, NEON, &[], Some((128, 32)), [(32, 2), (1024, 16), (0, 1)], 4),
    Row("neoverse-n1", Arch::Aarch64, NEON_V8_2, &[], Some((128, 32)), [(64, 4), (1024, 8), (32768, 16)], 64),
    Row("neoverse-v2", Arch::Aarch64, NEON_V8_6, &[], Some((128, 32)), [(64, 4), (2048, 8), (32768, 16)], 64),
    Row("apple-m1", Arch::Aarch64, NEON_V8_2, &[], Some((128, 32)), [(128, 8), (12288, 12), (0, 1)], 4),
    Row("generic-rv64", Arch::Riscv64, &[], &[], Some((0, 0)), [(32, 8), (512, 8), (0, 1)], 4),
    Row("spacemit-x60", Arch::Riscv64, &["v"], &[], Some((256, 32)), [(32, 4), (512, 16), (0, 1)], 8),
];

impl Row {
    fn machine(&self) -> Machine {
        let &Row(cpu, arch, base, more, vectors, caches, cores) = self;
        let mut features: Vec<String> = base.iter().chain(more).map(|&name| name.to_owned()).collect();
        features.sort_unstable();
        let (vector_bits, vector_registers) = vectors.unwrap_or_else(|| x86_vectors(&features));
        let [l1d, l2, l3] = caches.map(|(kib, ways)| Cache { size: kib * 1024, ways });
        Machine { cpu: cpu.to_owned(), arch, vector_bits, vector_registers, l1d, l2, l3, cores, features }
    }
}

/// The CPU that LLVM calls `name`. `None` where it is not in the table.
pub fn named(name: &str) -> Option<Machine> {
    CPUS.iter().find(|row| row.0 == name).map(Row::machine)
}

/// The names that [`named`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    CPUS.iter().map(|row| row.0)
}

/// The plainest CPU of an architecture.
pub fn baseline(arch: Arch) -> Machine {
    let first = CPUS.iter().find(|row| row.1 == arch);
    first.unwrap_or(&CPUS[0]).machine()
}

/// The CPU with the most of these features, and none besides.
pub(crate) fn nearest(arch: Arch, features: &[String]) -> Machine {
    let fits = |machine: &Machine| machine.arch == arch && machine.features.iter().all(|each| features.contains(each));
    // The last of several with as many is the newest; a name for all of a level comes first and loses to a product's.
    let all = CPUS.iter().map(Row::machine).filter(fits);
    all.max_by_key(|machine| machine.features.len()).unwrap_or_else(|| baseline(arch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_rows_are_sound() {
        for name in names() {
            let machine = named(name).unwrap();
            assert_eq!(machine.cpu, name);
            assert!(machine.features.is_sorted(), "{name}");
            assert!(machine.l1d.size > 0 && machine.l2.size > machine.l1d.size, "{name}");
            assert!(machine.l1d.size.is_multiple_of(u64::from(machine.l1d.ways * 64)), "{name}");
        }
        assert_eq!(named("no-such-cpu"), None);
    }

    #[test]
    fn a_level_is_the_plainest_machine_of_its_architecture() {
        assert_eq!(baseline(Arch::X86_64).cpu, "x86-64");
        assert_eq!((baseline(Arch::Aarch64).vector_bits, baseline(Arch::Riscv64).vector_bits), (128, 0));
    }

    #[test]
    fn nearest_has_no_feature_besides() {
        let v4 = named("x86-64-v4").unwrap();
        assert_eq!(nearest(Arch::X86_64, &v4.features).cpu, "skylake-avx512");
        let avx2: Vec<String> = X86_64_V3.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(nearest(Arch::X86_64, &avx2).vector_bits, 256);
        assert_eq!(nearest(Arch::X86_64, &[]).cpu, "x86-64");
    }
}
