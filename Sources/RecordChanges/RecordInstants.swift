import Calendar
package import Features
package import Ingest

extension IngestedSource {
  /// Returns the source without records that have no instant: these are rejected.
  ///
  /// - Parameters:
  ///   - property: the property with the instants.
  ///   - file: the file as the user named it, for messages.
  ///   - tolerance: rejected records that are tolerated.
  ///   - known: the properties that the file has; `nil` for those that were read.
  /// - Throws: ``SourceError`` where the property does not exist, where there are lines or polygons,
  ///   or too many records are rejected.
  /// - Complexity: O(points).
  package func dated(
    by property: String, file: String, tolerance: RejectTolerance, known: [String]? = nil
  ) throws(SourceError) -> IngestedSource {
    guard shapes.count == 0 else {
      throw SourceError(
        code: .configuration, file: file,
        message: "'time' makes frames of points, and there are \(shapes.count) lines and polygons. "
          + "Leave them out with 'filter: [\"==\", [\"geometry-type\"], \"Point\"]'.")
    }
    guard points.count > 0 else { return self }
    guard let index = points.records.index(of: property) else {
      throw SourceError(
        UnknownColumn(
          .property(property), " in \(file)", known: known ?? points.columns.map(\.name),
          key: "time"),
        file: file)
    }
    let column = points.columns[index]
    var source = self
    var fates = PointFates(self)
    for point in 0..<points.count where column.instant(point) == nil {
      let text = column.isBlank(point) ? nil : column.text(point)
      fates.reject(
        point, of: &source, as: .noInstant,
        text.map { "'\($0.prefix(64))' in '\(property)' is no instant in a form of ISO 8601" }
          ?? "the point has no '\(property)', which 'time' asks for")
    }
    if let error = source.ledger.excess(over: tolerance, file: file) { throw error }
    if !fates.rejected.isEmpty {
      source.points = points.removing { fates.rejected.contains($0) }
    }
    return source
  }
}

extension PropertyColumn {
  /// Returns the instant that a row's text names, in seconds since 1970-01-01T00:00:00Z, fractions
  /// dropped; `nil` for other values and outside the years 1 … 9999.
  package func instant(_ row: Int) -> Int64? {
    guard kinds[row] == .string || kinds[row] == .text else { return nil }
    let seconds = withBytes(row) { ISOTimeReader.read($0)?.seconds }
    return seconds.flatMap { ISOTimeReader.range.contains($0) ? $0 : nil }
  }
}
