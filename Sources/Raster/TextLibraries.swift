import CHarfBuzz
import TextAnalysis

/// The libraries, beside the fonts, that decide which glyphs a text has, where they stand and what
/// their outlines are.
package enum TextLibraries {
  /// The name and version of each at run time, such as "HarfBuzz 6.0.0".
  package static let versions = [
    "FreeType \(FreeTypeFace.version)",
    "FriBidi \(TextDirections.version)",
    "HarfBuzz \(hb_version_string().map { String(cString: $0) } ?? "")",
    "ICU \(ICUVersion.text)",
  ]
}
