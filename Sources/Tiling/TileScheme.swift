/// The direction in which rows of tiles are counted, in names of files and in addresses.
package enum TileScheme: String, CaseIterable, Hashable, Sendable {
  /// From north to south: the northernmost row is 0.
  case xyz
  /// From south to north: the southernmost row is 0.
  case tms
}
