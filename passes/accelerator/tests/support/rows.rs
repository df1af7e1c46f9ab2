//! Parts of networks that the vector unit does, as text.

#![allow(dead_code, reason = "each test uses a part of this")]

/// A generic operation: inputs with their types and maps, the map of the result and its type, iterator types, body.
fn generic(
    name: &str,
    ins: &[(&str, &str, &str)],
    init: &str,
    map: &str,
    result: &str,
    kinds: &str,
    body: &str,
) -> String {
    let kinds: Vec<&str> =
        kinds.chars().map(|kind| if kind == 'p' { "\"parallel\"" } else { "\"reduction\"" }).collect();
    let maps: Vec<&str> = ins.iter().map(|(.., map)| *map).chain([map]).collect();
    let names: Vec<&str> = ins.iter().map(|(name, ..)| *name).collect();
    let types: Vec<&str> = ins.iter().map(|(_, ty, _)| *ty).collect();
    let element = |ty: &str| ty.rsplit_once('x').map_or("", |(_, element)| element).trim_end_matches('>').to_owned();
    let args: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("%a{at}: {}", element(ty))).collect();
    format!(
        "{name} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs({init} : {result}) {{\n\
         ^bb0({}, %out: {}):\n{body}\n}} -> {result}\n",
        maps.join(", "),
        kinds.join(", "),
        names.join(", "),
        types.join(", "),
        args.join(", "),
        element(result)
    )
}

const ALL: &str = "affine_map<(i, j) -> (i, j)>";
const ROW: &str = "affine_map<(i, j) -> (i)>";
const COLUMN: &str = "affine_map<(i, j) -> (j)>";

fn fill(name: &str, value: &str, ty: &str) -> String {
    let element = ty.rsplit_once('x').map_or("", |(_, element)| element).trim_end_matches('>');
    format!(
        "{name}_c = arith.constant {value} : {element}\n{name}_e = tensor.empty() : {ty}\n\
         {name} = linalg.fill ins({name}_c : {element}) outs({name}_e : {ty}) -> {ty}\n"
    )
}

/// `y = 3 x + r + c` and its sums along rows, in 32-bit integers, where `r` is the same in a row and `c` in a column.
pub(crate) fn affine_sums(rows: u64, columns: u64) -> String {
    let (matrix, row, column) =
        (format!("tensor<{rows}x{columns}xi32>"), format!("tensor<{rows}xi32>"), format!("tensor<{columns}xi32>"));
    let ins = [("%x", matrix.as_str(), ALL), ("%r", row.as_str(), ROW), ("%c", column.as_str(), COLUMN)];
    let body = "%0 = arith.muli %a0, %three : i32\n%1 = arith.addi %0, %a1 : i32\n%2 = arith.addi %1, %a2 : i32\nlinalg.yield %2 : i32";
    format!(
        "func.func @rows(%x: {matrix}, %r: {row}, %c: {column}) -> ({matrix}, {row}) {{\n%three = arith.constant 3 : i32\n%to = tensor.empty() : {matrix}\n"
    ) + &generic("%y", &ins, "%to", ALL, &matrix, "pp", body)
        + &fill("%zero", "0", &row)
        + &generic(
            "%s",
            &[("%y", &matrix, ALL)],
            "%zero",
            ROW,
            &row,
            "pr",
            "%0 = arith.addi %out, %a0 : i32\nlinalg.yield %0 : i32",
        )
        + &format!("return %y, %s : {matrix}, {row}\n}}\n")
}

/// What goes around a block of `ResNet`: two images of 8 bits are added and requantized.
pub(crate) fn residual(pixels: u64, channels: u64) -> String {
    let ty = format!("tensor<{pixels}x{channels}xi8>");
    let body = "%0 = arith.extsi %a0 : i8 to i32\n%1 = arith.extsi %a1 : i8 to i32\n%2 = arith.addi %0, %1 : i32\n%3 = arith.sitofp %2 : i32 to f32\n\
                %4 = arith.mulf %3, %half : f32\n%5 = math.roundeven %4 : f32\n%6 = arith.maximumf %5, %least : f32\n%7 = arith.minimumf %6, %greatest : f32\n\
                %8 = arith.fptosi %7 : f32 to i8\nlinalg.yield %8 : i8";
    format!(
        "func.func @rows(%x: {ty}, %y: {ty}) -> {ty} {{\n%half = arith.constant 0.5 : f32\n%least = arith.constant 0.0 : f32\n\
         %greatest = arith.constant 127.0 : f32\n%to = tensor.empty() : {ty}\n"
    ) + &generic("%z", &[("%x", &ty, ALL), ("%y", &ty, ALL)], "%to", ALL, &ty, "pp", body)
        + &format!("return %z : {ty}\n}}\n")
}

/// The greatest of 3 x 3 pixels of 8 bits, every second one.
pub(crate) fn pooling(extent: u64, channels: u64) -> String {
    let out = (extent - 3) / 2 + 1;
    let (image, result) =
        (format!("tensor<1x{extent}x{extent}x{channels}xi8>"), format!("tensor<1x{out}x{out}x{channels}xi8>"));
    format!("func.func @rows(%x: {image}) -> {result} {{\n%window = tensor.empty() : tensor<3x3xi8>\n")
        + &fill("%least", "-128", &result)
        + &format!(
            "%y = linalg.pooling_nhwc_max {{dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}} \
             ins(%x, %window : {image}, tensor<3x3xi8>) outs(%least : {result}) -> {result}\nreturn %y : {result}\n}}\n"
        )
}

/// A convolution of each channel by itself, 3 x 3, of 8 bits.
pub(crate) fn depthwise(extent: u64, channels: u64, stride: u64) -> String {
    let out = (extent - 3) / stride + 1;
    let (image, filter) = (format!("tensor<1x{extent}x{extent}x{channels}xi8>"), format!("tensor<3x3x{channels}xi8>"));
    let result = format!("tensor<1x{out}x{out}x{channels}xi32>");
    format!("func.func @rows(%x: {image}, %w: {filter}) -> {result} {{\n")
        + &fill("%zero", "0", &result)
        + &format!(
            "%y = linalg.depthwise_conv_2d_nhwc_hwc {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} \
             ins(%x, %w : {image}, {filter}) outs(%zero : {result}) -> {result}\nreturn %y : {result}\n}}\n"
        )
}

/// Softmax of rows, in `f32`.
pub(crate) fn softmax(rows: u64, columns: u64) -> String {
    let (matrix, row) = (format!("tensor<{rows}x{columns}xf32>"), format!("tensor<{rows}xf32>"));
    let (of, with) = (("%x", matrix.as_str(), ALL), |name| (name, row.as_str(), ROW));
    format!("func.func @rows(%x: {matrix}) -> {matrix} {{\n%to = tensor.empty() : {matrix}\n")
        + &fill("%lowest", "0xFF800000", &row)
        + &fill("%zero", "0.0", &row)
        + &generic(
            "%m",
            &[of],
            "%lowest",
            ROW,
            &row,
            "pr",
            "%0 = arith.maximumf %out, %a0 : f32\nlinalg.yield %0 : f32",
        )
        + &generic(
            "%e",
            &[of, with("%m")],
            "%to",
            ALL,
            &matrix,
            "pp",
            "%0 = arith.subf %a0, %a1 : f32\n%1 = math.exp %0 : f32\nlinalg.yield %1 : f32",
        )
        + &generic(
            "%s",
            &[("%e", &matrix, ALL)],
            "%zero",
            ROW,
            &row,
            "pr",
            "%0 = arith.addf %out, %a0 : f32\nlinalg.yield %0 : f32",
        )
        + &generic(
            "%y",
            &[("%e", &matrix, ALL), with("%s")],
            "%to",
            ALL,
            &matrix,
            "pp",
            "%0 = arith.divf %a0, %a1 : f32\nlinalg.yield %0 : f32",
        )
        + &format!("return %y : {matrix}\n}}\n")
}

/// Layer normalization of rows, in `f32`.
pub(crate) fn layer_norm(rows: u64, columns: u64) -> String {
    let (matrix, row) = (format!("tensor<{rows}x{columns}xf32>"), format!("tensor<{rows}xf32>"));
    let with = |name| (name, row.as_str(), ROW);
    let add = "%0 = arith.addf %out, %a0 : f32\nlinalg.yield %0 : f32";
    let square = "%0 = arith.mulf %a0, %a0 : f32\n%1 = arith.addf %out, %0 : f32\nlinalg.yield %1 : f32";
    let centre = "%0 = arith.divf %a1, %count : f32\n%1 = arith.subf %a0, %0 : f32\nlinalg.yield %1 : f32";
    let scale = "%0 = arith.divf %a1, %count : f32\n%1 = arith.addf %0, %eps : f32\n%2 = math.sqrt %1 : f32\n%3 = arith.divf %one, %2 : f32\n%4 = arith.mulf %a0, %3 : f32\nlinalg.yield %4 : f32";
    format!(
        "func.func @rows(%x: {matrix}) -> {matrix} {{\n%to = tensor.empty() : {matrix}\n%count = arith.constant {columns}.0 : f32\n\
         %eps = arith.constant 1.0e-05 : f32\n%one = arith.constant 1.0 : f32\n"
    ) + &fill("%zero", "0.0", &row)
        + &generic("%s", &[("%x", &matrix, ALL)], "%zero", ROW, &row, "pr", add)
        + &generic("%d", &[("%x", &matrix, ALL), with("%s")], "%to", ALL, &matrix, "pp", centre)
        + &generic("%v", &[("%d", &matrix, ALL)], "%zero", ROW, &row, "pr", square)
        + &generic("%y", &[("%d", &matrix, ALL), with("%v")], "%to", ALL, &matrix, "pp", scale)
        + &format!("return %y : {matrix}\n}}\n")
}
