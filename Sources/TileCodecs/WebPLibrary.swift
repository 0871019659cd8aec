import CWebP

/// libwebp, where it is installed.
package enum WebPLibrary {
  /// Its version, such as `1.2.4`; `nil` where it is not installed.
  package static var version: String? {
    let number = cwebp_version()
    guard number > 0 else { return nil }
    return "\(number >> 16).\(number >> 8 & 255).\(number & 255)"
  }
}
