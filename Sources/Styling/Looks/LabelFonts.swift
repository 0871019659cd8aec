package import Raster

/// The fonts and characters that the labels of a build need but the available fonts lack.
package struct LabelFonts: Hashable, Sendable {
  /// Font stacks with no available font, each with the face that replaces it; sorted by name.
  package var replaced: [Replacement] = []

  /// Characters that no font has, each once, ascending; they are drawn as boxes.
  package var missing: [Unicode.Scalar] = []

  package struct Replacement: Hashable, Sendable {
    package let stack: [String]
    /// Whether the stack is the default for layers without `text-font`.
    package var isDefault: Bool { stack == LookResolver.defaultFonts }
    package let standIn: String
  }

  package init() {}

  /// Creates the summary of all labels in a table; their order does not matter.
  ///
  /// - Throws: ``FontError`` if a font's file became unreadable.
  /// - Complexity: O(looks + characters); each distinct character is looked up once.
  package init(of looks: LookTable, fonts: FontLibrary) throws {
    var stacks: Set<[String]> = []
    var last: [String]?
    var used = ScalarSet()
    for case .text(let look) in looks.stacks.lazy.joined().map(\.look) {
      for section in look.sections where section.image == nil {
        let stack = section.fontStack ?? look.style.fontStack
        if stack != last { stacks.insert(stack) }
        last = stack
        for scalar in section.text.unicodeScalars { used.insert(scalar) }
      }
    }
    replaced = try stacks.compactMap { stack in
      try fonts.standIn(forStack: stack).map { Replacement(stack: stack, standIn: $0) }
    }.sorted { $0.stack.lexicographicallyPrecedes($1.stack) }
    // Tabs and similar characters are drawn as spaces.
    missing = try used.scalars.filter {
      try $0.value >= 0x20 && TextShaper.needsGlyph($0) && !fonts.hasGlyph(of: $0)
    }
  }
}

/// A set of scalars with one bit each: a build has many labels, which share most characters.
private struct ScalarSet {
  private var words = [UInt64](repeating: 0, count: 0x11_0000 / 64)

  mutating func insert(_ scalar: Unicode.Scalar) {
    let value = Int(scalar.value)
    words[value >> 6] |= 1 << UInt64(value & 63)
  }

  /// The scalars in the set, in ascending order.
  var scalars: [Unicode.Scalar] {
    words.indices.lazy.filter { words[$0] != 0 }.flatMap { word in
      (0..<64).compactMap { bit in
        words[word] >> UInt64(bit) & 1 == 0
          ? nil : Unicode.Scalar(UInt32(word << 6 | bit))
      }
    }
  }
}
