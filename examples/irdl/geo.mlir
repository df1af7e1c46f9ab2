// A dialect: points with two coordinates of one type.
irdl.dialect @geo {
  irdl.type @point {
    %i32 = irdl.is i32
    %f32 = irdl.is f32
    %coordinate = irdl.any_of(%i32, %f32)
    irdl.parameters(coordinate: %coordinate)
  }
  // The type of the coordinate is that of the point: one name, one type.
  irdl.operation @x {
    %t = irdl.any
    %point = irdl.parametric @geo::@point<%t>
    irdl.operands(point: %point)
    irdl.results(x: %t)
  }
}
