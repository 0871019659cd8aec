extension CSVReader {
  /// The names of the longitude and latitude columns, which hold the geometry; empty where records
  /// have no geometry.
  package var geometryColumns: [String] {
    schema.coordinates.map { [schema.names[$0.x], schema.names[$0.y]] } ?? []
  }
}
