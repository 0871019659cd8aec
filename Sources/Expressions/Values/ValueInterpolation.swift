import Raster

extension ExpressionValue {
  /// The value at `fraction` 0 … 1 of the way to another of the same type.
  func mixed(
    with other: ExpressionValue, _ fraction: Double, in space: ColorSpace
  ) throws(EvaluationError) -> ExpressionValue {
    switch (self, other) {
    case (.number(let from), .number(let to)): return .number(lerp(from, to, fraction))
    case (.color(let from), .color(let to)): return .color(space.mix(from, to, fraction))
    case (.padding(let from), .padding(let to)): return .padding(mix(from, to, fraction))
    case (.numberArray(let from), .numberArray(let to)):
      return .numberArray(mix(from, to, fraction))
    case (.colorArray(let from), .colorArray(let to)):
      guard from.count == to.count else {
        throw .message(
          "colorArray: Arrays have mismatched length (\(from.count) vs. \(to.count)), "
            + "cannot interpolate.")
      }
      return .colorArray(zip(from, to).map { space.mix($0, $1, fraction) })
    case (.array(let from), .array(let to)):
      var items: [ExpressionValue] = []
      for (from, to) in zip(from, to) {
        items.append(try from.mixed(with: to, fraction, in: space))
      }
      return .array(items)
    case (.anchorOffsets(let from), .anchorOffsets(let to)):
      return .anchorOffsets(try mix(from, to, fraction))
    case (.projection(let from), .projection(let to)):
      return .projection(
        ProjectionDefinition(from: from.from, to: to.to, transition: fraction))
    default: throw .mismatch(expected: type, found: other.type)
    }
  }

  private func mix(_ from: [Double], _ to: [Double], _ fraction: Double) -> [Double] {
    zip(from, to).map { lerp($0, $1, fraction) }
  }

  private func mix(
    _ from: [AnchorOffset], _ to: [AnchorOffset], _ fraction: Double
  ) throws(EvaluationError) -> [AnchorOffset] {
    guard from.count == to.count else {
      throw .message(
        "Cannot interpolate values of different length. from: \(json), to: "
          + ExpressionValue.anchorOffsets(to).json)
    }
    var entries: [AnchorOffset] = []
    for (index, (from, to)) in zip(from, to).enumerated() {
      guard from.anchor == to.anchor else {
        throw .message(
          "Cannot interpolate values containing mismatched anchors. from[\(2 * index)]: "
            + "\(from.anchor), to[\(2 * index)]: \(to.anchor)")
      }
      entries.append(
        AnchorOffset(
          anchor: from.anchor, x: lerp(from.x, to.x, fraction), y: lerp(from.y, to.y, fraction)))
    }
    return entries
  }
}
