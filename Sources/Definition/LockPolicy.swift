/// The behaviour of a run while another one holds the lock of its archive.
package enum LockPolicy: String, CaseIterable, Hashable, Sendable {
  /// The run ends with code `locked`.
  case fail
  /// The run leaves the archive to the other one and ends successfully.
  case skip
  /// The run waits until the other one has ended, successfully or not.
  case wait
}
