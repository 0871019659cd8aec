import CICU

/// An analyser of line breaks and scripts by ICU; owned by one worker, because of its iterator.
///
/// Texts are scalars, in the order in which they are read.
package final class TextAnalyzer {
  private var lines: OpaquePointer?

  /// The scripts' codes of ISO 15924 by ICU's numbers.
  private var scriptNames: [Int32: Script] = [:]

  package init() {}

  deinit {
    if let lines { cicu_lines_close(lines) }
  }

  // MARK: Line breaks (UAX 14)

  /// Returns for each scalar whether a line may end after it; the last one is always an end.
  ///
  /// Words of Thai, Lao, Khmer and Burmese are found in ICU's dictionaries.
  ///
  /// - Throws: ``TextAnalysisError``.
  /// - Complexity: O(scalars).
  package func lineBreaks(in scalars: [Unicode.Scalar]) throws -> [Bool] {
    try PlainText.lineBreaks(in: scalars) ?? dictionaryLineBreaks(in: scalars)
  }

  /// Returns the line breaks as ICU has them.
  func dictionaryLineBreaks(in scalars: [Unicode.Scalar]) throws -> [Bool] {
    guard !scalars.isEmpty else { return [] }
    var status: Int32 = 0
    let lines = self.lines ?? cicu_lines_open(&status)
    self.lines = lines
    let text = UTF16Text(scalars)
    var breaks = [Bool](repeating: false, count: scalars.count)
    text.units.withUnsafeBufferPointer { units in
      guard let lines else { return }
      status = cicu_lines_set(lines, units.baseAddress, Int32(units.count))
      var index = 0
      while status == 0 {
        let end = Int(cicu_lines_next(lines))
        guard end > 0 else { break }
        while index + 1 < scalars.count, text.unit(ofScalar: index + 1) < end { index += 1 }
        breaks[index] = true
      }
    }
    guard status == 0 else {
      throw TextAnalysisError(operation: "break lines", status: status)
    }
    return breaks
  }

  // MARK: Scripts (UAX 24)

  /// Returns the script of each scalar; common and inherited scalars have the script of the text
  /// before them, or after them at the start of a text.
  ///
  /// - Complexity: O(scalars).
  package func scripts(of scalars: [Unicode.Scalar]) -> [Script] {
    var scripts: [Script] = []
    scripts.reserveCapacity(scalars.count)
    var current: Script?
    for scalar in scalars {
      let script = script(of: scalar)
      if !script.isShared {
        if current == nil {
          for index in scripts.indices { scripts[index] = script }
        }
        current = script
      }
      scripts.append(current ?? script)
    }
    return scripts
  }

  private func script(of scalar: Unicode.Scalar) -> Script {
    switch scalar {
    case "a"..."z", "A"..."Z": return .latin
    case "\u{0}"..."\u{7F}": return .common
    default: break
    }
    let number = cicu_script(Int32(bitPattern: scalar.value))
    if let known = scriptNames[number] { return known }
    let script = Script(cicu_script_name(number).map { String(cString: $0) } ?? "Zyyy")
    scriptNames[number] = script
    return script
  }

  // MARK: Vertical text (UTR 50)

  /// Whether a scalar stands upright in vertical lines.
  package static func isUpright(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0xA7 else { return false }
    let orientation = cicu_vertical_orientation(Int32(bitPattern: scalar.value))
    return orientation == CICU_UPRIGHT || orientation == CICU_TRANSFORMED_UPRIGHT
  }

  /// Whether a scalar stands upright in vertical lines and belongs to a script that is written
  /// vertically.
  package static func isEastAsianUpright(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100, isUpright(scalar) else { return false }
    guard let name = cicu_script_name(cicu_script(Int32(bitPattern: scalar.value))) else {
      return false
    }
    return Script(String(cString: name)).isEastAsian
  }

  /// Whether a scalar has its own form in vertical lines; without that form it lies on its side.
  package static func isTransformed(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x2000 else { return false }
    return cicu_vertical_orientation(Int32(bitPattern: scalar.value))
      == CICU_TRANSFORMED_ROTATED
  }
}
