module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %program : (!transform.any_op) -> !transform.any_op
    %tile, %rows, %columns = transform.structured.tile_using_for %product tile_sizes [16, 24]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
