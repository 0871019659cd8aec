/// The limits on what one vector tile may demand.
///
/// The tiles of OpenMapTiles and Protomaps reach 1 MB, 100 thousand vertices and 30 layers.
package struct VectorTileLimits: Hashable, Sendable {
  /// Maximum bytes of an unpacked tile: 64 MiB.
  package var bytes = 64 << 20

  /// Maximum number of layers.
  package var layers = 1 << 10

  /// Maximum number of features in all layers.
  package var features = 1 << 20

  /// Maximum number of names of properties in a layer.
  package var keys = 1 << 16

  /// Maximum number of values of properties in a layer.
  package var values = 1 << 21

  /// Maximum number of properties of a feature.
  package var properties = 1 << 12

  /// Maximum number of vertices of a feature.
  package var vertices = 1 << 22

  package init() {}
}
