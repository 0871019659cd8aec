import Platform

/// A zoom at which a style is evaluated; in views it may lie between two whole ones.
///
/// As in MapLibre, colours and sizes follow the zoom itself, while filters, layout, patterns and
/// dashes are evaluated at the whole zoom below, and patterns and dashes grow with the world until
/// the next whole zoom.
package struct StyleZoom: Hashable, Sendable {
  let exact: Double

  package init(_ zoom: Double) { exact = zoom }

  /// The whole zoom at or below.
  package var whole: Double { exact.rounded(.down) }

  /// The width of the world as a multiple of its width at the whole zoom: 1 ..< 2.
  package var magnification: Double { exp2(exact - whole) }

  /// Returns the zoom at which a property is evaluated.
  func zoom(of property: StyleProperty) -> Double { property.isOfWholeZoom ? whole : exact }
}

extension StyleProperty {
  /// Whether the property is evaluated at the whole zoom at or below: layout except for sizes, and
  /// everything that MapLibre cross-fades between zooms.
  fileprivate var isOfWholeZoom: Bool {
    switch self {
    case .textSize, .iconSize: false
    case .lineDasharray: true
    default: isLayout || isImage
    }
  }
}
