// RUN: %{round-trip}

// Every attribute; entries are printed as `key = value` however they were written.

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32, "dlti.endianness" = "big", i64 = dense<[32, 64]> : vector<2xi64>, !llvm.ptr<3> = dense<32> : vector<4xi64>>,
// CHECK-SAME: dlti.map = #dlti.map<"tiles" = #dlti.map<f32 = 8 : i64>>,
// CHECK-SAME: dlti.target_system_spec = #dlti.target_system_spec<"NPU" = #dlti.target_device_spec<"lanes" = 64 : i32, "name" = "fast">>}
module attributes {
  dlti.dl_spec = #dlti.dl_spec<
    #dlti.dl_entry<index, 32 : i32>,
    "dlti.endianness" = "big",
    i64 = dense<[32, 64]> : vector<2xi64>,
    !llvm.ptr<3> = dense<32> : vector<4xi64>>,
  dlti.map = #dlti.map<"tiles" = #dlti.map<f32 = 8>>,
  dlti.target_system_spec = #dlti.target_system_spec<
    "NPU" = #dlti.target_device_spec<"lanes" = 64 : i32, #dlti.dl_entry<"name", "fast">>>
} {
  // CHECK: func.func private @attributes() attributes {empty = #dlti.dl_spec<>, entry = #dlti.dl_entry<f16, "half">, pointers = #dlti.function_pointer_alignment<64, function_dependent = false>}
  func.func private @attributes() attributes {
    empty = #dlti.dl_spec<>,
    entry = #dlti.dl_entry<f16, "half">,
    pointers = #dlti.function_pointer_alignment<64, function_dependent = false>
  }
}
