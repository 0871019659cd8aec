import Raster
import Runs
import Styling

extension LabelFonts {
  /// The maximum number of characters or fonts in a note; the others are counted.
  private static let limit = 10

  /// Notes for the user on the labels' fonts, a sentence each.
  package var notes: [String] { [fontNote, characterNote].compactMap(\.self) }

  private var fontNote: String? {
    guard !replaced.isEmpty else { return nil }
    let fonts = replaced.prefix(Self.limit).map { replacement in
      let names = replacement.stack.map { "'\($0)'" }.joined(separator: ", ")
      let wish =
        replacement.isDefault
        ? "without 'text-font' (\(names))" : "for \(names.isEmpty ? "no name" : names)"
      return "\(wish) \(replacement.standIn) stands in"
    }
    let rest = replaced.count > Self.limit ? " and others" : ""
    return "fonts of labels are not there: \(fonts.joined(separator: "; "))\(rest). "
      + "\(FontLibrary.pathVariable) names folders of fonts."
  }

  private var characterNote: String? {
    guard !missing.isEmpty else { return nil }
    let characters = missing.prefix(Self.limit).map(Self.sign).joined(separator: " ")
    let count = ReportNumber.count(missing.count)
    return
      (missing.count == 1
      ? "a character of labels has no glyph in any font and is drawn as a box: "
      : "\(count) different characters of labels have no glyph in any font and are drawn as boxes: ")
      + characters + (missing.count > Self.limit ? " …" : ".")
      + " \(FontLibrary.pathVariable) names folders of fonts."
  }

  /// Returns a character as it is, or its code point if it would be invisible.
  private static func sign(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark, .format,
      .spaceSeparator:
      "U+" + String(scalar.value, radix: 16, uppercase: true)
    default: String(scalar)
    }
  }
}
