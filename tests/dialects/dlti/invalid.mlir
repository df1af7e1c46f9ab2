// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{attribute 'dlti.layout' not supported by dialect}}
module attributes {dlti.layout = #dlti.dl_spec<>} {}

// -----

// expected-error @below {{'dlti.map' is expected to be a #dlti.map attribute}}
module attributes {dlti.map = #dlti.dl_spec<>} {}

// -----

// expected-error @below {{expected a type or a quoted string}}
func.func private @key() attributes {entry = #dlti.dl_entry<@symbol, 1>}

// -----

// expected-error @below {{invalid kind of attribute specified}}
func.func private @no_entry() attributes {spec = #dlti.dl_spec<8 = 1>}

// -----

// expected-error @below {{empty string as DLTI key is not allowed}}
func.func private @empty_key() attributes {spec = #dlti.target_device_spec<"" = 1>}

// -----

// expected-error @below {{repeated DLTI key: f32}}
func.func private @repeated() attributes {spec = #dlti.map<f32 = 1, i8 = 2, f32 = 3>}

// -----

// expected-error @below {{no DLTI entries provided}}
func.func private @no_device() attributes {spec = #dlti.target_system_spec<>}

// -----

// expected-error @below {{value associated with key "a" is not a DLTI device spec}}
func.func private @no_device_spec() attributes {spec = #dlti.target_system_spec<"a" = #dlti.map<>>}

// -----

// expected-error @+2 {{repeated device ID in dlti.target_system_spec: "a"}}
func.func private @same_device() attributes {
  spec = #dlti.target_system_spec<"a" = #dlti.target_device_spec<"x" = 1>, "a" = #dlti.target_device_spec<"x" = 2>>
}

// -----

// expected-error @below {{'dlti.endianness' data layout entry is expected to be either 'big' or 'little'}}
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "middle">} {}

// -----

// expected-error @below {{unknown data layout entry name: dlti.wordsize}}
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.wordsize" = 8>} {}

// -----

// expected-error @below {{expected integer attribute in the data layout entry for 'index'}}
module attributes {dlti.dl_spec = #dlti.dl_spec<index = "wide">} {}

// -----

// expected-error @below {{expected a dense i64 elements attribute in the data layout entry #dlti.dl_entry<f32, 32 : i64>}}
module attributes {dlti.dl_spec = #dlti.dl_spec<f32 = 32>} {}

// -----

// expected-error @below {{to be a dense integer elements attribute with 3 or 4 elements}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<2xi64>>} {}

// -----

// expected-error @below {{unexpected data layout for a built-in type}}
module attributes {dlti.dl_spec = #dlti.dl_spec<vector<4xf32> = 128>} {}

// -----

// expected-error @below {{data layout specified for a type that does not support it}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.void = 0>} {}

// -----

// expected-error @below {{expected i64 parameters for '!llvm.ptr'}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[32, 32, 64]> : vector<3xi32>>} {}

// -----

// expected-error @below {{preferred alignment is expected to be at least as large as ABI alignment}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[32, 64, 32, 3]> : vector<4xi64>>} {}

// -----

// expected-error @below {{to be a dense integer elements attribute with 3 or 4 elements}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<[1.0, 2.0, 3.0]> : vector<3xf64>>} {}

// -----

// expected-error @below {{expected layout attribute for '!llvm.struct<()>' to be a dense integer elements attribute of 1 or 2 elements}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<()> = dense<[32, 64, 64]> : vector<3xi64>>} {}

// -----

// expected-error @below {{expected layout attribute for '!llvm.struct<()>' to be a dense integer elements attribute of 1 or 2 elements}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<()> = 3 : i64>} {}

// -----

// expected-error @below {{expected i64 entries for '!llvm.struct<()>'}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<()> = dense<32> : vector<1xi32>>} {}

// -----

// expected-error @below {{unexpected layout attribute for struct '!llvm.struct<(i32)>'}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<(i32)> = dense<32> : vector<1xi64>>} {}

// -----

// expected-error @below {{preferred alignment is expected to be at least as large as ABI alignment}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.struct<()> = dense<[64, 32]> : vector<2xi64>>} {}

// -----

// expected-error @below {{preferred alignment is expected to be greater than or equal to the abi alignment in data layout entry #dlti.dl_entry<i32, dense<[64, 32]> : vector<2xi64>>}}
module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<[64, 32]> : vector<2xi64>>} {}

// -----

// expected-error @below {{expected 1 or 2 elements in the data layout entry #dlti.dl_entry<f32, dense<1> : vector<3xi64>>}}
module attributes {dlti.dl_spec = #dlti.dl_spec<f32 = dense<1> : vector<3xi64>>} {}

// -----

// expected-error @below {{expected a dense i64 elements attribute in the data layout entry #dlti.dl_entry<!llvm.ppc_fp128, 1 : i64>}}
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ppc_fp128 = 1 : i64>} {}

// -----

// These are right: alignments of arrays are anything.
module attributes {dlti.dl_spec = #dlti.dl_spec<
  !llvm.array<2 x i8> = 3,
  !llvm.struct<()> = dense<[32, 64]> : vector<2xi64>,
  !llvm.ptr = dense<32> : vector<3xi64>,
  i32 = dense<32> : vector<1xi64>
>} {}
