/// One look in the stack of a feature: the layer that draws it and what it draws.
package struct StackedLook: Hashable, Sendable {
  /// Index of the layer in the style, back to front.
  package var layer: Int
  package var look: Look

  package init(layer: Int, look: Look) {
    self.layer = layer
    self.look = look
  }
}

/// All that one feature shows at one place, back to front.
package typealias LookStack = [StackedLook]

/// Gives every distinct look stack of a build a number, so that a symbol is four bytes.
///
/// Numbers follow the order of first use; nothing that is written depends on them.
package struct LookTable {
  private var numbers: [LookStack: UInt32] = [:]

  /// The stacks by number; number 0 is the empty stack.
  package private(set) var stacks: [LookStack] = [[]]

  /// The content hash of each stack.
  package private(set) var hashes: [StableHash] = [StableHash()]

  /// Numbers that looks could not be made of.
  package var unusable = UnusableNumbers()

  package init() {
    numbers[[]] = 0
  }

  /// The number of a stack, a new one if it was not seen before.
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
