package import Features

/// The reason why a geometry is refused.
package struct GeometryRefusal: Error, Hashable {
  package var reason: RejectReason
  /// The problem, without its place.
  package var message: String
  /// The offset of the problem in the geometry's text, in bytes; 0 for binary forms.
  package var offset: Int

  package init(
    _ message: String, _ reason: RejectReason = .invalidGeometry, at offset: Int = 0
  ) {
    self.reason = reason
    self.message = message
    self.offset = offset
  }
}
