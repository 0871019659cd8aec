/// What a run does while another one holds its archive.
package enum LockPolicy: String, CaseIterable, Hashable, Sendable {
  /// It ends with code `locked`.
  case fail
  /// It leaves the archive to the other run and ends well.
  case skip
  /// It waits until the other run has ended, however that ends.
  case wait
}
