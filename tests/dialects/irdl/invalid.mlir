// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{name of dialect should not contain uppercase letters}}
irdl.dialect @Upper {
}

// -----

// expected-error @below {{'irdl.dialect' op invalid dialect name}}
irdl.dialect @"not a name" {
}

// -----

// expected-error @below {{name of dialect should not contain leading or double underscores}}
irdl.dialect @two__underscores {
}

// -----

irdl.dialect @d {
  // expected-error @below {{name of type should not contain leading or double underscores}}
  irdl.type @_leading {
  }
}

// -----

irdl.dialect @d {
  // expected-error @below {{name of attribute must contain only lowercase letters, digits and underscores}}
  irdl.attribute @"with space" {
  }
}

// -----

irdl.dialect @d {
  // expected-error @below {{name of operation should not contain uppercase letters}}
  irdl.operation @Upper {
  }
}

// -----

irdl.dialect @d {
  // expected-error @below {{failed to verify AtMostOneChildOf trait: the operation contains at least two operations of type irdl.results}}
  irdl.operation @two_lists {
    %0 = irdl.any
    irdl.results(a: %0)
    irdl.results(b: %0)
  }
}

// -----

irdl.dialect @d {
  // expected-error @below {{failed to verify AtMostOneChildOf trait: the operation contains at least two operations of type irdl.parameters}}
  irdl.type @two_lists {
    %0 = irdl.any
    irdl.parameters(a: %0)
    irdl.parameters(b: %0)
  }
}

// -----

irdl.dialect @d {
  // expected-error @below {{'irdl.operation' op contains a value named 'a' for both its results and operands}}
  irdl.operation @one_name {
    %0 = irdl.any
    irdl.results(a: %0)
    irdl.operands(b: %0, a: %0)
  }
}

// -----

irdl.dialect @d {
  irdl.type @name_twice {
    %0 = irdl.any
    // expected-error @below {{'irdl.parameters' op name of parameter #2 is a duplicate of the name of parameter #1}}
    irdl.parameters(a: %0, b: %0, b: %0)
  }
}

// -----

irdl.dialect @d {
  irdl.type @bad_name {
    %0 = irdl.any
    // expected-error @below {{name of parameter #1 must contain only lowercase letters, digits and underscores}}
    irdl.parameters(good: %0, bad$: %0)
  }
}

// -----

irdl.dialect @d {
  irdl.type @fewer_names {
    %0 = irdl.any
    // expected-error @below {{'irdl.parameters' op the number of parameters and their names must be the same, but got 2 and 1 respectively}}
    "irdl.parameters"(%0, %0) <{names = ["a"]}> : (!irdl.attribute, !irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @d {
  irdl.operation @fewer_counts {
    %0 = irdl.any
    // expected-error @below {{'irdl.results' op the number of results and their variadicities must be the same, but got 2 and 1 respectively}}
    "irdl.results"(%0, %0) <{names = ["a", "b"], variadicity = #irdl<variadicity_array[single]>}> : (!irdl.attribute, !irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @d {
  irdl.operation @fewer_attribute_names {
    %0 = irdl.any
    // expected-error @below {{'irdl.attributes' op the number of attribute names and their constraints must be the same but got 1 and 2 respectively}}
    "irdl.attributes"(%0, %0) <{attributeValueNames = ["a"]}> : (!irdl.attribute, !irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @d {
  irdl.operation @no_block {
    // expected-error @below {{'irdl.region' op the number of blocks is expected to be >= 1 but got 0}}
    %0 = irdl.region with size 0
  }
}

// -----

irdl.dialect @d {
  irdl.operation @not_a_region {
    %0 = irdl.any
    // expected-error @below {{'irdl.regions' op operand #0 must be variadic of IRDL handle to a region definition, but got '!irdl.attribute'}}
    "irdl.regions"(%0) <{names = ["a"]}> : (!irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @d {
  irdl.type @unknown {
    // expected-error @below {{'irdl.base' op symbol '@d::@other' not found}}
    %0 = irdl.base @d::@other
  }
}

// -----

irdl.dialect @d {
  irdl.type @from_inside {
    // expected-error @below {{'irdl.parametric' op symbol '@from_inside' not found}}
    %0 = irdl.parametric @from_inside<>
  }
}

// -----

irdl.dialect @d {
  irdl.operation @op {
    // expected-error @below {{'irdl.base' op symbol '@d' does not refer to a type or attribute definition (refers to 'irdl.dialect')}}
    %0 = irdl.base @d
  }
}

// -----

irdl.dialect @d {
  irdl.operation @no_sigil {
    // expected-error @below {{'irdl.base' op the base type or attribute name should start with '!' or '#'}}
    %0 = irdl.base "builtin.integer"
  }
}

// -----

irdl.dialect @d {
  irdl.operation @neither {
    // expected-error @below {{'irdl.base' op the base type or attribute should be specified by either a name or a reference}}
    %0 = irdl.base
  }
}

// -----

irdl.dialect @d {
  irdl.operation @both {
    // expected-error @below {{'irdl.base' op the base type or attribute should be specified by either a name or a reference}}
    %0 = irdl.base @d::@t "!builtin.integer"
  }
  irdl.type @t
}

// -----

irdl.dialect @d {
  irdl.operation @of_nothing {
    // expected-error @below {{'irdl.any_of' op expected 1 or more operands, but found 0}}
    %0 = irdl.any_of()
  }
}

// -----

// expected-error @below {{'irdl.type' op expects parent op 'irdl.dialect'}}
irdl.type @outside

// -----

irdl.dialect @d {
  // expected-error @below {{'irdl.any' op expects parent op to be one of 'irdl.type, irdl.attribute, irdl.operation'}}
  %0 = irdl.any
}

// -----

irdl.dialect @d {
  // expected-error @below {{'irdl.operation' op region should have no arguments}}
  irdl.operation @arguments {
  ^bb0(%0: !irdl.attribute):
    irdl.operands(a: %0)
  }
}

// -----

irdl.dialect @geo {
  irdl.operation @arguments_that_are_not_said_to_be_constrained {
    %0 = irdl.is i32
    // expected-error @below {{'irdl.region' op expects attribute 'constrainedArguments' where it has constraints of arguments}}
    %1 = "irdl.region"(%0) : (!irdl.attribute) -> !irdl.region
    irdl.regions(body: %1)
  }
}

// -----

irdl.dialect @geo {
  irdl.type @a_name_that_is_no_text {
    %0 = irdl.is i32
    // expected-error @below {{name of parameter #0 must contain only lowercase letters, digits and underscores}}
    "irdl.parameters"(%0) <{names = ["\80"]}> : (!irdl.attribute) -> ()
  }
}
