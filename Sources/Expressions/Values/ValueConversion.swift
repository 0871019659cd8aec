import Features
import Raster

extension ExpressionValue {
  /// Returns the value as one of the types that only properties have; `nil` where it does not fit.
  func converted(to type: ExpressionType) -> ExpressionValue? {
    switch type {
    case .padding: padding
    case .numberArray: numberArray
    case .colorArray: colorArray
    case .variableAnchorOffsetCollection: anchorOffsets
    case .projectionDefinition: projection
    case .verticalGradient: verticalGradient
    default: nil
    }
  }

  /// The numbers of a list of numbers.
  private var numbers: [Double]? {
    guard case .array(let items) = self else { return nil }
    var numbers: [Double] = []
    for item in items {
      guard case .number(let number) = item else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// One to four numbers as in CSS: all; vertical, horizontal; top, horizontal, bottom; each.
  private var padding: ExpressionValue? {
    switch self {
    case .padding: return self
    case .number(let all): return .padding([all, all, all, all])
    default:
      guard let sides = numbers else { return nil }
      switch sides.count {
      case 1: return .padding([sides[0], sides[0], sides[0], sides[0]])
      case 2: return .padding([sides[0], sides[1], sides[0], sides[1]])
      case 3: return .padding([sides[0], sides[1], sides[2], sides[1]])
      case 4: return .padding(sides)
      default: return nil
      }
    }
  }

  private var numberArray: ExpressionValue? {
    switch self {
    case .numberArray: self
    case .number(let number): .numberArray([number])
    default: numbers.map(ExpressionValue.numberArray)
    }
  }

  private var colorArray: ExpressionValue? {
    switch self {
    case .colorArray: return self
    case .string(let text): return CSSColor.parse(text).map { .colorArray([$0]) }
    case .array(let items):
      var colors: [Color] = []
      for item in items {
        guard case .string(let text) = item, let color = CSSColor.parse(text) else { return nil }
        colors.append(color)
      }
      return .colorArray(colors)
    default: return nil
    }
  }

  private static let anchors: Set<String> = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
    "bottom-right",
  ]

  /// Anchors and offsets in turn: `["top", [0, 4], "left", [3, 0]]`.
  private var anchorOffsets: ExpressionValue? {
    if case .anchorOffsets = self { return self }
    guard case .array(let items) = self, !items.isEmpty, items.count.isMultiple(of: 2) else {
      return nil
    }
    var entries: [AnchorOffset] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard case .string(let anchor) = items[index], Self.anchors.contains(anchor),
        let offset = items[index + 1].numbers, offset.count == 2
      else { return nil }
      entries.append(AnchorOffset(anchor: anchor, x: offset[0], y: offset[1]))
    }
    return .anchorOffsets(entries)
  }

  private var projection: ExpressionValue? {
    switch self {
    case .projection: return self
    case .string(let name):
      return .projection(ProjectionDefinition(from: name, to: name, transition: 1))
    case .array(let items):
      guard items.count == 3, case .string(let from) = items[0], case .string(let to) = items[1],
        case .number(let transition) = items[2]
      else { return nil }
      return .projection(ProjectionDefinition(from: from, to: to, transition: transition))
    default: return nil
    }
  }

  private var verticalGradient: ExpressionValue? {
    switch self {
    case .verticalGradient: return self
    case .bool(let isOn):
      return .verticalGradient(depth: isOn ? 0.5 : 0, referenceHeight: isOn ? 150 : 0)
    default:
      guard let numbers, (1...2).contains(numbers.count) else { return nil }
      return .verticalGradient(
        depth: numbers[0], referenceHeight: numbers.count > 1 ? numbers[1] : 0)
    }
  }
}
