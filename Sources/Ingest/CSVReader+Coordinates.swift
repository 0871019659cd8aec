extension CSVReader {
  /// The columns that are spent on the geometry: the longitude's, the latitude's; none where
  /// records have no geometry.
  package var geometryColumns: [String] {
    schema.coordinates.map { [schema.names[$0.x], schema.names[$0.y]] } ?? []
  }
}
