// A dialect that tests load: points of two coordinates of one type, and what can be done with them.
irdl.dialect @geo {
  irdl.type @point {
    %i32 = irdl.is i32
    %f32 = irdl.is f32
    %coordinate = irdl.any_of(%i32, %f32)
    irdl.parameters(coordinate: %coordinate)
  }
  irdl.type @origin
  irdl.attribute @unit {
    %name = irdl.base "#builtin.string"
    irdl.parameters(name: %name)
  }

  // The coordinate and the point have one type.
  irdl.operation @x {
    %t = irdl.any
    %point = irdl.parametric @geo::@point<%t>
    irdl.operands(point: %point)
    irdl.results(x: %t)
  }
  irdl.operation @hull {
    %point = irdl.base @geo::@point
    irdl.operands(points: variadic %point)
    irdl.results(hull: %point)
  }
  irdl.operation @path {
    %point = irdl.base @geo::@point
    %index = irdl.is index
    irdl.operands(via: variadic %point, after: optional %index, end: %point)
  }
  irdl.operation @measure {
    %unit = irdl.base @geo::@unit
    %point = irdl.base @geo::@point
    irdl.attributes {"unit" = %unit}
    irdl.operands(of: %point)
  }
  irdl.operation @each {
    %t = irdl.any
    %point = irdl.parametric @geo::@point<%t>
    irdl.operands(points: optional %point)
    %body = irdl.region(%t) with size 1
    %rest = irdl.region
    irdl.regions(body: %body, rest: %rest)
  }
}
