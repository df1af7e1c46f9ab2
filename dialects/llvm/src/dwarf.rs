//! Codes of the DWARF debugging format by name, as parameters of attributes: `DW_TAG_member`, `DW_LANG_C99`.
//!
//! Names and codes are those of the DWARF 5 standard (section 7) with the extensions of vendors that LLVM knows.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, ParamHook, Parsed};
use dl_ir::{Attr, DialectBuilder};

/// Codes and names without their common prefix.
type Table = &'static [(u16, &'static str)];

/// `DW_OP_LLVM_convert`: to so many bits of an encoding.
const CONVERT: i64 = 0x1001;

/// Makes a hook for each kind of code.
macro_rules! hooks {
    ($($parameter:literal $prefix:literal $what:literal $table:ident;)*) => {
        /// Registers the kinds of parameters.
        pub(crate) fn register(builder: &mut DialectBuilder) {
            $(builder.param_hook($parameter, ParamHook {
                parse: |p, values| parse(p, values, $prefix, $what, $table),
                print: |values, p| print(values, p, $prefix, $table),
            });)*
            builder.param_hook("ExpressionArg", ParamHook { parse: parse_arguments, print: print_arguments });
        }
    };
}

hooks! {
    "dwarf.tag" "DW_TAG_" "tag" TAGS;
    "dwarf.sourceLanguage" "DW_LANG_" "language" LANGUAGES;
    "dwarf.encoding" "DW_ATE_" "encoding" ENCODINGS;
    "dwarf.callingConvention" "DW_CC_" "calling convention" CALLING_CONVENTIONS;
    "dwarf.opcode" "DW_OP_" "operation encoding" OPERATIONS;
}

fn parse(p: &mut OpParser<'_>, values: &mut [Option<Attr>], prefix: &str, what: &str, table: Table) -> Parsed<()> {
    let (cx, loc) = (p.cx(), p.loc());
    // Absent parameters are 0, which has no name.
    let code = match p.parse_optional_any_keyword() {
        None => p.parse_optional_integer()?.filter(|&code| code == 0),
        Some(word) => {
            let name = word.strip_prefix(prefix);
            let found = name.and_then(|name| table.iter().find(|entry| entry.1 == name));
            let Some(&(code, _)) = found else {
                return Err(p.error_at(loc, format!("invalid debug info debug info {what} name: {word}")));
            };
            Some(i64::from(code))
        }
    };
    let Some(code) = code else { return Err(p.error_at(loc, "expected valid keyword")) };
    values[0] = Some(cx.i64_attr(code));
    Ok(())
}

/// The arguments of an operation of a location expression, behind its code: numbers, or the name of an encoding.
fn parse_arguments(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let cx = p.cx();
    let mut arguments = Vec::new();
    p.parse_comma_separated(Delimiter::None, |p| {
        let argument = if p.token_word().is_none() {
            cx.ap_int_attr(cx.int_type(64), p.parse_ap_int_of(64, false)?)
        } else {
            let mut name = [None];
            parse(p, &mut name, "DW_ATE_", "encoding", ENCODINGS)?;
            let code = name[0].and_then(|name| cx.attr(name).as_int()).unwrap_or(0);
            cx.int_attr(cx.int_type(64), code)
        };
        arguments.push(argument);
        Ok(())
    })?;
    values[1] = Some(cx.array_attr(&arguments));
    Ok(())
}

fn print_arguments(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let converts = cx.attr(values[0]).as_int() == Some(CONVERT);
    p.comma_separated(cx.attr(values[1]).elements().enumerate(), |p, (i, argument)| {
        if converts && i > 0 {
            print(&[argument.id()], p, "DW_ATE_", ENCODINGS);
        } else {
            p.text(&argument.as_int().unwrap_or(0).cast_unsigned().to_string());
        }
    });
}

fn print(values: &[Attr], p: &mut AsmPrinter<'_>, prefix: &str, table: Table) {
    let code = p.cx().attr(values[0]).as_int();
    if let Some((_, name)) = table.iter().find(|entry| Some(i64::from(entry.0)) == code) {
        p.text(prefix);
        p.text(name);
    }
}

/// Kinds of entries.
#[rustfmt::skip]
static TAGS: Table = &[
    (0x0001, "array_type"),
    (0x0002, "class_type"),
    (0x0003, "entry_point"),
    (0x0004, "enumeration_type"),
    (0x0005, "formal_parameter"),
    (0x0008, "imported_declaration"),
    (0x000a, "label"),
    (0x000b, "lexical_block"),
    (0x000d, "member"),
    (0x000f, "pointer_type"),
    (0x0010, "reference_type"),
    (0x0011, "compile_unit"),
    (0x0012, "string_type"),
    (0x0013, "structure_type"),
    (0x0015, "subroutine_type"),
    (0x0016, "typedef"),
    (0x0017, "union_type"),
    (0x0018, "unspecified_parameters"),
    (0x0019, "variant"),
    (0x001a, "common_block"),
    (0x001b, "common_inclusion"),
    (0x001c, "inheritance"),
    (0x001d, "inlined_subroutine"),
    (0x001e, "module"),
    (0x001f, "ptr_to_member_type"),
    (0x0020, "set_type"),
    (0x0021, "subrange_type"),
    (0x0022, "with_stmt"),
    (0x0023, "access_declaration"),
    (0x0024, "base_type"),
    (0x0025, "catch_block"),
    (0x0026, "const_type"),
    (0x0027, "constant"),
    (0x0028, "enumerator"),
    (0x0029, "file_type"),
    (0x002a, "friend"),
    (0x002b, "namelist"),
    (0x002c, "namelist_item"),
    (0x002d, "packed_type"),
    (0x002e, "subprogram"),
    (0x002f, "template_type_parameter"),
    (0x0030, "template_value_parameter"),
    (0x0031, "thrown_type"),
    (0x0032, "try_block"),
    (0x0033, "variant_part"),
    (0x0034, "variable"),
    (0x0035, "volatile_type"),
    (0x0036, "dwarf_procedure"),
    (0x0037, "restrict_type"),
    (0x0038, "interface_type"),
    (0x0039, "namespace"),
    (0x003a, "imported_module"),
    (0x003b, "unspecified_type"),
    (0x003c, "partial_unit"),
    (0x003d, "imported_unit"),
    (0x003f, "condition"),
    (0x0040, "shared_type"),
    (0x0041, "type_unit"),
    (0x0042, "rvalue_reference_type"),
    (0x0043, "template_alias"),
    (0x0044, "coarray_type"),
    (0x0045, "generic_subrange"),
    (0x0046, "dynamic_type"),
    (0x0047, "atomic_type"),
    (0x0048, "call_site"),
    (0x0049, "call_site_parameter"),
    (0x004a, "skeleton_unit"),
    (0x004b, "immutable_type"),
    (0x4081, "MIPS_loop"),
    (0x4101, "format_label"),
    (0x4102, "function_template"),
    (0x4103, "class_template"),
    (0x4104, "GNU_BINCL"),
    (0x4105, "GNU_EINCL"),
    (0x4106, "GNU_template_template_param"),
    (0x4107, "GNU_template_parameter_pack"),
    (0x4108, "GNU_formal_parameter_pack"),
    (0x4109, "GNU_call_site"),
    (0x410a, "GNU_call_site_parameter"),
    (0x4200, "APPLE_property"),
    (0x4201, "SUN_function_template"),
    (0x4202, "SUN_class_template"),
    (0x4203, "SUN_struct_template"),
    (0x4204, "SUN_union_template"),
    (0x4205, "SUN_indirect_inheritance"),
    (0x4206, "SUN_codeflags"),
    (0x4207, "SUN_memop_info"),
    (0x4208, "SUN_omp_child_func"),
    (0x4209, "SUN_rtti_descriptor"),
    (0x420a, "SUN_dtor_info"),
    (0x420b, "SUN_dtor"),
    (0x420c, "SUN_f90_interface"),
    (0x420d, "SUN_fortran_vax_structure"),
    (0x42ff, "SUN_hi"),
    (0x4300, "LLVM_ptrauth_type"),
    (0x5101, "ALTIUM_circ_type"),
    (0x5102, "ALTIUM_mwa_circ_type"),
    (0x5103, "ALTIUM_rev_carry_type"),
    (0x5111, "ALTIUM_rom"),
    (0x6000, "LLVM_annotation"),
    (0x8004, "GHS_namespace"),
    (0x8005, "GHS_using_namespace"),
    (0x8006, "GHS_using_declaration"),
    (0x8007, "GHS_template_templ_param"),
    (0x8765, "UPC_shared_type"),
    (0x8766, "UPC_strict_type"),
    (0x8767, "UPC_relaxed"),
    (0xa000, "PGI_kanji_type"),
    (0xa020, "PGI_interface_block"),
    (0xb000, "BORLAND_property"),
    (0xb001, "BORLAND_Delphi_string"),
    (0xb002, "BORLAND_Delphi_dynamic_array"),
    (0xb003, "BORLAND_Delphi_set"),
    (0xb004, "BORLAND_Delphi_variant"),
];

/// Source languages.
#[rustfmt::skip]
static LANGUAGES: Table = &[
    (0x0001, "C89"),
    (0x0002, "C"),
    (0x0003, "Ada83"),
    (0x0004, "C_plus_plus"),
    (0x0005, "Cobol74"),
    (0x0006, "Cobol85"),
    (0x0007, "Fortran77"),
    (0x0008, "Fortran90"),
    (0x0009, "Pascal83"),
    (0x000a, "Modula2"),
    (0x000b, "Java"),
    (0x000c, "C99"),
    (0x000d, "Ada95"),
    (0x000e, "Fortran95"),
    (0x000f, "PLI"),
    (0x0010, "ObjC"),
    (0x0011, "ObjC_plus_plus"),
    (0x0012, "UPC"),
    (0x0013, "D"),
    (0x0014, "Python"),
    (0x0015, "OpenCL"),
    (0x0016, "Go"),
    (0x0017, "Modula3"),
    (0x0018, "Haskell"),
    (0x0019, "C_plus_plus_03"),
    (0x001a, "C_plus_plus_11"),
    (0x001b, "OCaml"),
    (0x001c, "Rust"),
    (0x001d, "C11"),
    (0x001e, "Swift"),
    (0x001f, "Julia"),
    (0x0020, "Dylan"),
    (0x0021, "C_plus_plus_14"),
    (0x0022, "Fortran03"),
    (0x0023, "Fortran08"),
    (0x0024, "RenderScript"),
    (0x0025, "BLISS"),
    (0x0026, "Kotlin"),
    (0x0027, "Zig"),
    (0x0028, "Crystal"),
    (0x002a, "C_plus_plus_17"),
    (0x002b, "C_plus_plus_20"),
    (0x002c, "C17"),
    (0x002d, "Fortran18"),
    (0x002e, "Ada2005"),
    (0x002f, "Ada2012"),
    (0x0030, "HIP"),
    (0x0031, "Assembly"),
    (0x0032, "C_sharp"),
    (0x0033, "Mojo"),
    (0x0034, "GLSL"),
    (0x0035, "GLSL_ES"),
    (0x0036, "HLSL"),
    (0x0037, "OpenCL_CPP"),
    (0x0038, "CPP_for_OpenCL"),
    (0x0039, "SYCL"),
    (0x003d, "Metal"),
    (0x0040, "Ruby"),
    (0x0041, "Move"),
    (0x0042, "Hylo"),
    (0x8001, "Mips_Assembler"),
    (0x8e57, "GOOGLE_RenderScript"),
    (0xb000, "BORLAND_Delphi"),
];

/// Encodings of base types.
#[rustfmt::skip]
static ENCODINGS: Table = &[
    (0x0001, "address"),
    (0x0002, "boolean"),
    (0x0003, "complex_float"),
    (0x0004, "float"),
    (0x0005, "signed"),
    (0x0006, "signed_char"),
    (0x0007, "unsigned"),
    (0x0008, "unsigned_char"),
    (0x0009, "imaginary_float"),
    (0x000a, "packed_decimal"),
    (0x000b, "numeric_string"),
    (0x000c, "edited"),
    (0x000d, "signed_fixed"),
    (0x000e, "unsigned_fixed"),
    (0x000f, "decimal_float"),
    (0x0010, "UTF"),
    (0x0011, "UCS"),
    (0x0012, "ASCII"),
    (0x0081, "HP_complex_float"),
    (0x0082, "HP_float128"),
    (0x0083, "HP_complex_float128"),
    (0x0084, "HP_floathpintel"),
    (0x0085, "HP_imaginary_float90"),
    (0x0086, "HP_imaginary_float128"),
];

/// Calling conventions.
#[rustfmt::skip]
static CALLING_CONVENTIONS: Table = &[
    (0x0001, "normal"),
    (0x0002, "program"),
    (0x0003, "nocall"),
    (0x0004, "pass_by_reference"),
    (0x0005, "pass_by_value"),
    (0x0040, "GNU_renesas_sh"),
    (0x0041, "GNU_borland_fastcall_i386"),
    (0x00b0, "BORLAND_safecall"),
    (0x00b1, "BORLAND_stdcall"),
    (0x00b2, "BORLAND_pascal"),
    (0x00b3, "BORLAND_msfastcall"),
    (0x00b4, "BORLAND_msreturn"),
    (0x00b5, "BORLAND_thiscall"),
    (0x00b6, "BORLAND_fastcall"),
    (0x00c0, "LLVM_vectorcall"),
    (0x00c1, "LLVM_Win64"),
    (0x00c2, "LLVM_X86_64SysV"),
    (0x00c3, "LLVM_AAPCS"),
    (0x00c4, "LLVM_AAPCS_VFP"),
    (0x00c5, "LLVM_IntelOclBicc"),
    (0x00c6, "LLVM_SpirFunction"),
    (0x00c7, "LLVM_DeviceKernel"),
    (0x00c8, "LLVM_Swift"),
    (0x00c9, "LLVM_PreserveMost"),
    (0x00ca, "LLVM_PreserveAll"),
    (0x00cb, "LLVM_X86RegCall"),
    (0x00cc, "LLVM_M68kRTD"),
    (0x00cd, "LLVM_PreserveNone"),
    (0x00ce, "LLVM_RISCVVectorCall"),
    (0x00cf, "LLVM_SwiftTail"),
    (0x00d0, "LLVM_RISCVVLSCall"),
    (0x00ff, "GDB_IBM_OpenCL"),
];

/// Operations of location expressions.
#[rustfmt::skip]
static OPERATIONS: Table = &[
    (0x0003, "addr"),
    (0x0006, "deref"),
    (0x0008, "const1u"),
    (0x0009, "const1s"),
    (0x000a, "const2u"),
    (0x000b, "const2s"),
    (0x000c, "const4u"),
    (0x000d, "const4s"),
    (0x000e, "const8u"),
    (0x000f, "const8s"),
    (0x0010, "constu"),
    (0x0011, "consts"),
    (0x0012, "dup"),
    (0x0013, "drop"),
    (0x0014, "over"),
    (0x0015, "pick"),
    (0x0016, "swap"),
    (0x0017, "rot"),
    (0x0018, "xderef"),
    (0x0019, "abs"),
    (0x001a, "and"),
    (0x001b, "div"),
    (0x001c, "minus"),
    (0x001d, "mod"),
    (0x001e, "mul"),
    (0x001f, "neg"),
    (0x0020, "not"),
    (0x0021, "or"),
    (0x0022, "plus"),
    (0x0023, "plus_uconst"),
    (0x0024, "shl"),
    (0x0025, "shr"),
    (0x0026, "shra"),
    (0x0027, "xor"),
    (0x0028, "bra"),
    (0x0029, "eq"),
    (0x002a, "ge"),
    (0x002b, "gt"),
    (0x002c, "le"),
    (0x002d, "lt"),
    (0x002e, "ne"),
    (0x002f, "skip"),
    (0x0030, "lit0"),
    (0x0031, "lit1"),
    (0x0032, "lit2"),
    (0x0033, "lit3"),
    (0x0034, "lit4"),
    (0x0035, "lit5"),
    (0x0036, "lit6"),
    (0x0037, "lit7"),
    (0x0038, "lit8"),
    (0x0039, "lit9"),
    (0x003a, "lit10"),
    (0x003b, "lit11"),
    (0x003c, "lit12"),
    (0x003d, "lit13"),
    (0x003e, "lit14"),
    (0x003f, "lit15"),
    (0x0040, "lit16"),
    (0x0041, "lit17"),
    (0x0042, "lit18"),
    (0x0043, "lit19"),
    (0x0044, "lit20"),
    (0x0045, "lit21"),
    (0x0046, "lit22"),
    (0x0047, "lit23"),
    (0x0048, "lit24"),
    (0x0049, "lit25"),
    (0x004a, "lit26"),
    (0x004b, "lit27"),
    (0x004c, "lit28"),
    (0x004d, "lit29"),
    (0x004e, "lit30"),
    (0x004f, "lit31"),
    (0x0050, "reg0"),
    (0x0051, "reg1"),
    (0x0052, "reg2"),
    (0x0053, "reg3"),
    (0x0054, "reg4"),
    (0x0055, "reg5"),
    (0x0056, "reg6"),
    (0x0057, "reg7"),
    (0x0058, "reg8"),
    (0x0059, "reg9"),
    (0x005a, "reg10"),
    (0x005b, "reg11"),
    (0x005c, "reg12"),
    (0x005d, "reg13"),
    (0x005e, "reg14"),
    (0x005f, "reg15"),
    (0x0060, "reg16"),
    (0x0061, "reg17"),
    (0x0062, "reg18"),
    (0x0063, "reg19"),
    (0x0064, "reg20"),
    (0x0065, "reg21"),
    (0x0066, "reg22"),
    (0x0067, "reg23"),
    (0x0068, "reg24"),
    (0x0069, "reg25"),
    (0x006a, "reg26"),
    (0x006b, "reg27"),
    (0x006c, "reg28"),
    (0x006d, "reg29"),
    (0x006e, "reg30"),
    (0x006f, "reg31"),
    (0x0070, "breg0"),
    (0x0071, "breg1"),
    (0x0072, "breg2"),
    (0x0073, "breg3"),
    (0x0074, "breg4"),
    (0x0075, "breg5"),
    (0x0076, "breg6"),
    (0x0077, "breg7"),
    (0x0078, "breg8"),
    (0x0079, "breg9"),
    (0x007a, "breg10"),
    (0x007b, "breg11"),
    (0x007c, "breg12"),
    (0x007d, "breg13"),
    (0x007e, "breg14"),
    (0x007f, "breg15"),
    (0x0080, "breg16"),
    (0x0081, "breg17"),
    (0x0082, "breg18"),
    (0x0083, "breg19"),
    (0x0084, "breg20"),
    (0x0085, "breg21"),
    (0x0086, "breg22"),
    (0x0087, "breg23"),
    (0x0088, "breg24"),
    (0x0089, "breg25"),
    (0x008a, "breg26"),
    (0x008b, "breg27"),
    (0x008c, "breg28"),
    (0x008d, "breg29"),
    (0x008e, "breg30"),
    (0x008f, "breg31"),
    (0x0090, "regx"),
    (0x0091, "fbreg"),
    (0x0092, "bregx"),
    (0x0093, "piece"),
    (0x0094, "deref_size"),
    (0x0095, "xderef_size"),
    (0x0096, "nop"),
    (0x0097, "push_object_address"),
    (0x0098, "call2"),
    (0x0099, "call4"),
    (0x009a, "call_ref"),
    (0x009b, "form_tls_address"),
    (0x009c, "call_frame_cfa"),
    (0x009d, "bit_piece"),
    (0x009e, "implicit_value"),
    (0x009f, "stack_value"),
    (0x00a0, "implicit_pointer"),
    (0x00a1, "addrx"),
    (0x00a2, "constx"),
    (0x00a3, "entry_value"),
    (0x00a4, "const_type"),
    (0x00a5, "regval_type"),
    (0x00a6, "deref_type"),
    (0x00a7, "xderef_type"),
    (0x00a8, "convert"),
    (0x00a9, "reinterpret"),
    (0x00e0, "GNU_push_tls_address"),
    (0x00e1, "HP_is_value"),
    (0x00e2, "HP_fltconst4"),
    (0x00e3, "HP_fltconst8"),
    (0x00e4, "HP_mod_range"),
    (0x00e5, "HP_unmod_range"),
    (0x00e6, "HP_tls"),
    (0x00e8, "INTEL_bit_piece"),
    (0x00ed, "WASM_location"),
    (0x00ee, "WASM_location_int"),
    (0x00f0, "APPLE_uninit"),
    (0x00f2, "GNU_implicit_pointer"),
    (0x00f3, "GNU_entry_value"),
    (0x00f8, "PGI_omp_thread_num"),
    (0x00fb, "GNU_addr_index"),
    (0x00fc, "GNU_const_index"),
    (0x00e9, "LLVM_user"),
    (0x1000, "LLVM_fragment"),
    (0x1001, "LLVM_convert"),
    (0x1002, "LLVM_tag_offset"),
    (0x1003, "LLVM_entry_value"),
    (0x1004, "LLVM_implicit_pointer"),
    (0x1005, "LLVM_arg"),
    (0x1006, "LLVM_extract_bits_sext"),
    (0x1007, "LLVM_extract_bits_zext"),
];
