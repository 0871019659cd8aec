/// An artifact is not what its name promises: it is made again, which nobody but the clock notices.
package struct ArtifactDamage: Error, Hashable, Sendable {
  /// What is wrong, for tests and logs.
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
