import Features

extension CSVReader {
  /// The names of the columns that hold the geometry: those of longitude and latitude, or one; empty
  /// where records have no geometry.
  package var geometryColumns: [String] {
    if let place = schema.geometry { return [schema.names[place]] }
    return schema.coordinates.map { [schema.names[$0.x], schema.names[$0.y]] } ?? []
  }

  /// The first pair of numbers in the column of geometries so far; `nil` for none.
  var firstPair: String? { rows.firstPair }

  /// Reads the geometry of the open row.
  ///
  /// - Returns: whether it can be used; the record is counted as rejected otherwise.
  mutating func takeGeometry(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> Bool {
    do throws(GeometryRefusal) {
      let kind = isNull(field, buffer) ? .none : try rows.readGeometry(field, buffer)
      rows.endGeometry(kind)
      if kind != .none, rows.closedRings { ledger.repair(.closedRings) }
      return true
    } catch {
      rows.abandonGeometry()
      rejectGeometry(field, error)
      return false
    }
  }
}
