/// The limits on what a packed file may demand.
package struct UnpackLimits: Hashable, Sendable {
  /// Maximum bytes of one unpacked file: 1 TiB.
  package var bytes = 1 << 40

  /// Maximum number of unpacked bytes per packed one. Tables and GeoJSON reach 3 … 60; files that
  /// are made to fill disks some hundred and more.
  package var ratio = 250

  /// The unpacked bytes up to which the ratio does not count.
  package var unrated = 64 << 20

  /// The free bytes that stay on the disk of the scratch file.
  package var reserve = 64 << 20

  /// Maximum number of members of a zip file.
  package var members = 1 << 20

  /// Maximum bytes of a zip file's list of members.
  package var directoryBytes = 256 << 20

  package init() {}
}
