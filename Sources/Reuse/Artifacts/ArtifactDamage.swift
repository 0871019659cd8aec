/// An error for an artifact whose content does not match its name: it is made again, which costs
/// only time.
package struct ArtifactDamage: Error, Hashable, Sendable {
  /// The reason, for tests and logs.
  let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
