//! The machine that this process runs on.

use crate::names::nearest;
use crate::{Arch, Cache, Machine};

/// Describes the machine that this process runs on: features and caches as the processor reports them, and what a CPU with these
/// features usually has where it does not.
pub fn host() -> Machine {
    let mut machine = nearest(arch(), &detect::features());
    machine.cores = std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(1));
    let [l1d, l2, l3] = detect::caches();
    for (known, found) in [(&mut machine.l1d, l1d), (&mut machine.l2, l2), (&mut machine.l3, l3)] {
        if let Some(found) = found {
            *known = found;
        }
    }
    machine
}

/// The architecture that this program was compiled for.
fn arch() -> Arch {
    if cfg!(target_arch = "aarch64") {
        Arch::Aarch64
    } else if cfg!(target_arch = "riscv64") {
        Arch::Riscv64
    } else {
        Arch::X86_64
    }
}

#[cfg(target_arch = "x86_64")]
mod detect {
    use raw_cpuid::{CacheType, CpuId, ExtendedFeatures};

    use super::Cache;

    /// The features of the table that this processor and its operating system support.
    pub(super) fn features() -> Vec<String> {
        macro_rules! supported {
            ($($llvm:literal = $rust:tt),* $(,)?) => {
                [$(($llvm, std::arch::is_x86_feature_detected!($rust))),*]
            };
        }
        let all = supported! {
            "avx" = "avx", "avx2" = "avx2", "avx512bf16" = "avx512bf16", "avx512bw" = "avx512bw",
            "avx512cd" = "avx512cd", "avx512dq" = "avx512dq", "avx512f" = "avx512f", "avx512fp16" = "avx512fp16",
            "avx512vl" = "avx512vl", "avx512vnni" = "avx512vnni", "f16c" = "f16c", "fma" = "fma", "sse4.2" = "sse4.2",
            "ssse3" = "ssse3",
        };
        let matrices = matrix_features();
        all.into_iter().chain(matrices).filter(|&(_, is_there)| is_there).map(|(name, _)| name.to_owned()).collect()
    }

    /// Matrix registers are there if the operating system lets this process use them, for which it must be asked.
    fn matrix_features() -> [(&'static str, bool); 3] {
        let found = CpuId::new().get_extended_feature_info();
        let found = found.filter(|found| found.has_amx_tile() && are_matrix_registers_granted());
        let has = |has: fn(&ExtendedFeatures) -> bool| found.as_ref().is_some_and(has);
        [
            ("amx-bf16", has(ExtendedFeatures::has_amx_bf16)),
            ("amx-int8", has(ExtendedFeatures::has_amx_int8)),
            ("amx-tile", has(ExtendedFeatures::has_amx_tile)),
        ]
    }

    /// Asks Linux for the matrix registers, for this process: `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`.
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "a system call that no library has")]
    fn are_matrix_registers_granted() -> bool {
        let mut result = 158_i64;
        // SAFETY: the call takes two numbers, touches no memory of the process, and clobbers the two registers that any call does.
        unsafe {
            std::arch::asm!(
                "syscall", inout("rax") result, in("rdi") 0x1023, in("rsi") 18,
                lateout("rcx") _, lateout("r11") _, options(nostack)
            );
        }
        result == 0
    }

    /// Not known of other systems.
    #[cfg(not(target_os = "linux"))]
    fn are_matrix_registers_granted() -> bool {
        false
    }

    /// The data or unified caches of the three levels.
    pub(super) fn caches() -> [Option<Cache>; 3] {
        let mut found = [None; 3];
        let Some(parameters) = CpuId::new().get_cache_parameters() else { return found };
        for cache in parameters.filter(|cache| matches!(cache.cache_type(), CacheType::Data | CacheType::Unified)) {
            let Some(entry) = usize::from(cache.level()).checked_sub(1).and_then(|at| found.get_mut(at)) else {
                continue;
            };
            let ways = cache.associativity() as u32;
            let lines = (cache.associativity() * cache.sets() * cache.physical_line_partitions()) as u64;
            *entry = Some(Cache { size: lines * cache.coherency_line_size() as u64, ways: ways.max(1) });
        }
        found
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod detect {
    use super::Cache;

    /// The features of the table that this processor and its operating system support.
    #[cfg(target_arch = "aarch64")]
    pub(super) fn features() -> Vec<String> {
        use std::arch::is_aarch64_feature_detected as has;
        let all = [
            ("bf16", has!("bf16")),
            ("dotprod", has!("dotprod")),
            ("fullfp16", has!("fp16")),
            ("i8mm", has!("i8mm")),
            ("neon", has!("neon")),
        ];
        all.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| name.to_owned()).collect()
    }

    /// Nothing is asked.
    #[cfg(not(target_arch = "aarch64"))]
    pub(super) fn features() -> Vec<String> {
        Vec::new()
    }

    /// The architecture has no instruction for it.
    pub(super) fn caches() -> [Option<Cache>; 3] {
        [None; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_has_a_name_and_caches() {
        let machine = host();
        assert!(crate::named(&machine.cpu).is_some());
        assert!(machine.cores >= 1 && machine.l1d.size >= 8 * 1024 && machine.l1d.ways >= 1);
    }
}
