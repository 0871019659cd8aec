package import Raster

/// What the fonts that are there lack of the labels of a build.
package struct LabelFonts: Hashable, Sendable {
  /// Stacks of font names none of which is there, each with the face that stands in; by name.
  package var replaced: [Replacement] = []

  /// Characters that no font has, each once, ascending; they are drawn as boxes.
  package var missing: [Unicode.Scalar] = []

  package struct Replacement: Hashable, Sendable {
    package let stack: [String]
    /// Whether the stack is that of layers without `text-font`.
    package var isDefault: Bool { stack == LookResolver.defaultFonts }
    package let standIn: String
  }

  package init() {}

  /// Looks at all labels that a table holds, in whichever order.
  ///
  /// - Throws: ``FontError`` where a font's file became unreadable.
  /// - Complexity: O(looks + characters); each distinct character is looked up once.
  package init(of looks: LookTable, fonts: FontLibrary) throws {
    var stacks: Set<[String]> = []
    var last: [String]?
    var used = ScalarSet()
    for case .text(let look) in looks.stacks.lazy.joined().map(\.look) {
      for section in look.sections {
        let stack = section.fontStack ?? look.style.fontStack
        if stack != last { stacks.insert(stack) }
        last = stack
        for scalar in section.text.unicodeScalars { used.insert(scalar) }
      }
    }
    replaced = try stacks.compactMap { stack in
      try fonts.standIn(forStack: stack).map { Replacement(stack: stack, standIn: $0) }
    }.sorted { $0.stack.lexicographicallyPrecedes($1.stack) }
    // Tabs and their like are drawn as spaces.
    missing = try used.scalars.filter {
      try $0.value >= 0x20 && TextShaper.needsGlyph($0) && !fonts.hasGlyph(of: $0)
    }
  }
}

/// Which scalars occur, a bit each: labels of a build are many, and most of their characters alike.
private struct ScalarSet {
  private var words = [UInt64](repeating: 0, count: 0x11_0000 / 64)

  mutating func insert(_ scalar: Unicode.Scalar) {
    let value = Int(scalar.value)
    words[value >> 6] |= 1 << UInt64(value & 63)
  }

  /// Ascending.
  var scalars: [Unicode.Scalar] {
    words.indices.lazy.filter { words[$0] != 0 }.flatMap { word in
      (0..<64).compactMap { bit in
        words[word] >> UInt64(bit) & 1 == 0
          ? nil : Unicode.Scalar(UInt32(word << 6 | bit))
      }
    }
  }
}
