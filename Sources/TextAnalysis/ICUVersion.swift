import CICU

/// The version of ICU at run time: another one may break lines elsewhere.
package enum ICUVersion {
  /// The version of the library, such as "72.1".
  package static let text = Self.text(of: cicu_version)

  /// The version of Unicode that ICU knows, such as "15.0".
  package static let unicode = Self.text(of: cicu_unicode_version)

  private static func text(of version: (UnsafeMutablePointer<CChar>) -> Void) -> String {
    withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(CICU_VERSION_BYTES)
    ) { buffer in
      buffer.initialize(repeating: 0)
      guard let base = buffer.baseAddress else { return "" }
      version(base)
      return String(cString: base)
    }
  }
}
