// RUN: dl-opt %s | FileCheck %s
// RUN: dl-opt %s --mlir-elide-resource-strings-if-larger=20 | FileCheck %s --check-prefix=ELIDED

// What tools keep in a file is kept, behind the data of attributes.

//      CHECK: {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       blob: "0x08000000010203"
// CHECK-NEXT:     }
// CHECK-NEXT:   },
// CHECK-NEXT:   external_resources: {
// CHECK-NEXT:     tool: {
// CHECK-NEXT:       blob: "0x08000000010203040506070809",
// CHECK-NEXT:       on: true,
// CHECK-NEXT:       text: "a \22word\22"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}

//      ELIDED: {-#
//  ELIDED-NOT:   blob: "0x08000000010203040506070809"
//      ELIDED:   external_resources: {
// ELIDED-NEXT:     tool: {
// ELIDED-NEXT:       on: true,
// ELIDED-NEXT:       text: "a \22word\22"

func.func private @f() attributes {d.a = dense_resource<blob> : tensor<3xi8>}

{-#
  external_resources: {
    tool: { blob: "0x08000000010203040506070809", on: true, text: "a \"word\"" },
    empty: {}
  },
  dialect_resources: { builtin: { blob: "0x08000000010203" } }
#-}
