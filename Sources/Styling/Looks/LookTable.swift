package import Features

/// One look in the stack of a feature: the layer that draws it and the look to draw.
package struct StackedLook: Hashable, Sendable {
  /// The index of the layer in the style, back to front.
  package var layer: Int
  package var look: Look

  package init(layer: Int, look: Look) {
    self.layer = layer
    self.look = look
  }
}

/// All looks of one feature at one place, back to front.
package typealias LookStack = [StackedLook]

/// A table that numbers every distinct look stack of a build, so that a symbol takes four bytes.
///
/// Numbers follow the order of first use; the output does not depend on them.
package struct LookTable {
  private var numbers: [LookStack: UInt32] = [:]

  /// The stacks by number; number 0 is the empty stack.
  package private(set) var stacks: [LookStack] = [[]]

  /// The content hash of each stack.
  package private(set) var hashes: [StableHash] = [StableHash()]

  /// Properties whose numbers could not be used in looks.
  package var unusable = UnusableNumbers()

  /// The images that icons ask for and the style does not have.
  package var missingImages = MissingImages()

  package init() {
    numbers[[]] = 0
  }

  /// Returns the number of a stack; a new one if the stack was not seen before.
  package mutating func number(of stack: LookStack) -> UInt32 {
    if let known = numbers[stack] { return known }
    let number = UInt32(stacks.count)
    numbers[stack] = number
    stacks.append(stack)
    var hash = StableHash()
    for entry in stack {
      hash.combine(entry.layer)
      hash.combine(entry.look.contentHash)
    }
    hashes.append(hash)
    return number
  }
}

extension LookStack {
  /// Returns the icon and the label that a symbol layer draws.
  package func symbol(of layer: Int) -> (icon: IconLook?, text: TextLook?) {
    var symbol: (icon: IconLook?, text: TextLook?) = (nil, nil)
    for entry in self where entry.layer == layer {
      switch entry.look {
      case .icon(let icon): symbol.icon = icon
      case .text(let text): symbol.text = text
      case .circle, .chart, .leg: break
      }
    }
    return symbol
  }
}

extension [Look] {
  /// The icon and the label of a symbol.
  package var symbol: (icon: IconLook?, text: TextLook?) {
    var symbol: (icon: IconLook?, text: TextLook?) = (nil, nil)
    for look in self {
      switch look {
      case .icon(let icon): symbol.icon = icon
      case .text(let text): symbol.text = text
      case .circle, .chart, .leg: break
      }
    }
    return symbol
  }
}
