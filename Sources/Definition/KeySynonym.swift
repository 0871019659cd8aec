/// A key under a name that other programs give to it.
struct KeySynonym {
  /// The key.
  let key: String

  /// The meaning of the key, in words.
  let meaning: String

  private let names: Set<String>

  private static let all: [KeySynonym] = [
    KeySynonym(
      key: "x", meaning: "the column of longitudes",
      names: ["lng", "lon", "long", "longitude", "lngcolumn", "loncolumn"]),
    KeySynonym(
      key: "y", meaning: "the column of latitudes", names: ["lat", "latitude", "latcolumn"]),
    KeySynonym(
      key: "geometry", meaning: "the column of geometries",
      names: ["wkt", "wkb", "geom", "thegeom"]),
    KeySynonym(
      key: "delimiter", meaning: "the sign between fields", names: ["separator", "sep"]),
    KeySynonym(
      key: "crs", meaning: "the reference system", names: ["srs", "epsg", "srid", "projection"]),
    KeySynonym(key: "data", meaning: "the file", names: ["file", "path", "filename", "src"]),
  ]

  /// Returns the key that a name stands for, if it is one of the known keys.
  static func meant(by name: String, among known: [String]) -> KeySynonym? {
    let plain = name.lowercased().filter(\.isLetter)
    return all.first { $0.names.contains(plain) && known.contains($0.key) }
  }
}
