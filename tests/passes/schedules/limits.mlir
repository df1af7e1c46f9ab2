// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// What grows with the power of the length of a schedule ends with an error.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%h0: !transform.any_op {transform.readonly}) {
    %h1 = transform.merge_handles %h0, %h0 : !transform.any_op
    %h2 = transform.merge_handles %h1, %h1 : !transform.any_op
    %h3 = transform.merge_handles %h2, %h2 : !transform.any_op
    %h4 = transform.merge_handles %h3, %h3 : !transform.any_op
    %h5 = transform.merge_handles %h4, %h4 : !transform.any_op
    %h6 = transform.merge_handles %h5, %h5 : !transform.any_op
    %h7 = transform.merge_handles %h6, %h6 : !transform.any_op
    %h8 = transform.merge_handles %h7, %h7 : !transform.any_op
    %h9 = transform.merge_handles %h8, %h8 : !transform.any_op
    %h10 = transform.merge_handles %h9, %h9 : !transform.any_op
    %h11 = transform.merge_handles %h10, %h10 : !transform.any_op
    %h12 = transform.merge_handles %h11, %h11 : !transform.any_op
    %h13 = transform.merge_handles %h12, %h12 : !transform.any_op
    %h14 = transform.merge_handles %h13, %h13 : !transform.any_op
    %h15 = transform.merge_handles %h14, %h14 : !transform.any_op
    %h16 = transform.merge_handles %h15, %h15 : !transform.any_op
    %h17 = transform.merge_handles %h16, %h16 : !transform.any_op
    %h18 = transform.merge_handles %h17, %h17 : !transform.any_op
    %h19 = transform.merge_handles %h18, %h18 : !transform.any_op
    %h20 = transform.merge_handles %h19, %h19 : !transform.any_op
    %h21 = transform.merge_handles %h20, %h20 : !transform.any_op
    %h22 = transform.merge_handles %h21, %h21 : !transform.any_op
    // expected-error @below {{unsupported: schedules that go through more than 33554432 operations}}
    %h23 = transform.merge_handles %h22, %h22 : !transform.any_op
    %h24 = transform.merge_handles %h23, %h23 : !transform.any_op
    %h25 = transform.merge_handles %h24, %h24 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%h0: !transform.any_op {transform.readonly}) {
    %h1 = transform.merge_handles %h0, %h0 : !transform.any_op
    %h2 = transform.merge_handles %h1, %h1 : !transform.any_op
    %h3 = transform.merge_handles %h2, %h2 : !transform.any_op
    %h4 = transform.merge_handles %h3, %h3 : !transform.any_op
    %h5 = transform.merge_handles %h4, %h4 : !transform.any_op
    %h6 = transform.merge_handles %h5, %h5 : !transform.any_op
    %h7 = transform.merge_handles %h6, %h6 : !transform.any_op
    %h8 = transform.merge_handles %h7, %h7 : !transform.any_op
    %h9 = transform.merge_handles %h8, %h8 : !transform.any_op
    %h10 = transform.merge_handles %h9, %h9 : !transform.any_op
    %h11 = transform.merge_handles %h10, %h10 : !transform.any_op
    %h12 = transform.merge_handles %h11, %h11 : !transform.any_op
    transform.foreach %h12 : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.foreach %h12 : !transform.any_op {
      ^bb0(%y: !transform.any_op):
        // expected-error @below {{unsupported: schedules that go through more than 33554432 operations}}
        %n = transform.num_associations %h12 : (!transform.any_op) -> !transform.param<i64>
      }
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%h0: !transform.any_op {transform.readonly}) {
    %h1 = transform.merge_handles %h0, %h0 : !transform.any_op
    %h2 = transform.merge_handles %h1, %h1 : !transform.any_op
    %h3 = transform.merge_handles %h2, %h2 : !transform.any_op
    %h4 = transform.merge_handles %h3, %h3 : !transform.any_op
    %h5 = transform.merge_handles %h4, %h4 : !transform.any_op
    %h6 = transform.merge_handles %h5, %h5 : !transform.any_op
    %h7 = transform.merge_handles %h6, %h6 : !transform.any_op
    %h8 = transform.merge_handles %h7, %h7 : !transform.any_op
    %h9 = transform.merge_handles %h8, %h8 : !transform.any_op
    %h10 = transform.merge_handles %h9, %h9 : !transform.any_op
    %h11 = transform.merge_handles %h10, %h10 : !transform.any_op
    %h12 = transform.merge_handles %h11, %h11 : !transform.any_op
    %h13 = transform.merge_handles %h12, %h12 : !transform.any_op
    %h14 = transform.merge_handles %h13, %h13 : !transform.any_op
    // expected-error @below {{unsupported: schedules that go through more than 33554432 operations}}
    %r = transform.replicate num(%h14) %h14 : !transform.any_op, !transform.any_op
    transform.yield
  }
}
