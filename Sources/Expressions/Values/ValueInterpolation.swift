import Raster

extension ExpressionValue {
  /// Returns the value at `fraction` 0 … 1 of the way to another of the same type.
  func mixed(
    with other: ExpressionValue, _ fraction: Double, in space: ColorSpace,
    at place: ExpressionPlace
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
      for (index, item) in from.enumerated() {
        let other = index < to.count ? to[index] : .number(.nan)
        items.append(try item.mixed(with: other, fraction, in: space, at: place))
      }
      return .array(items)
    case (.anchorOffsets(let from), .anchorOffsets(let to)):
      return .anchorOffsets(try mix(from, to, fraction, at: place))
    case (.projection(let from), .projection(let to)):
      return .projection(
        ProjectionDefinition(from: from.from, to: to.to, transition: fraction))
    default: throw .mismatch(expected: type, found: other.type)
    }
  }

  /// Interpolates as many numbers as `from` has; NaN where the other list is shorter.
  private func mix(_ from: [Double], _ to: [Double], _ fraction: Double) -> [Double] {
    from.indices.map { $0 < to.count ? lerp(from[$0], to[$0], fraction) : .nan }
  }

  private func mix(
    _ from: [AnchorOffset], _ to: [AnchorOffset], _ fraction: Double, at place: ExpressionPlace
  ) throws(EvaluationError) -> [AnchorOffset] {
    guard from.count == to.count else {
      throw .message(
        "Cannot interpolate values of different length. from: \(json), to: "
          + ExpressionValue.anchorOffsets(to).json, at: place)
    }
    var entries: [AnchorOffset] = []
    for (index, (from, to)) in zip(from, to).enumerated() {
      guard from.anchor == to.anchor else {
        throw .message(
          "Cannot interpolate values containing mismatched anchors. from[\(2 * index)]: "
            + "\(from.anchor), to[\(2 * index)]: \(to.anchor)", at: place)
      }
      entries.append(
        AnchorOffset(
          anchor: from.anchor, x: lerp(from.x, to.x, fraction), y: lerp(from.y, to.y, fraction)))
    }
    return entries
  }
}
