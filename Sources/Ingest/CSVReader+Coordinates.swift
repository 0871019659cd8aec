import Features

extension CSVReader {
  /// The names of the columns that hold the geometry: those of longitude and latitude, or one; empty
  /// where records have no geometry.
  package var geometryColumns: [String] {
    if let place = schema.geometry { return [schema.names[place]] }
    return schema.coordinates.map { [schema.names[$0.x], schema.names[$0.y]] } ?? []
  }

  /// The first pair of numbers in the column of geometries so far; `nil` for none.
  package var firstPair: String? { rows.firstPair }

  /// Returns the degrees that a field spells with signs or a letter of this axis.
  func sexagesimal(
    _ field: CSVField, _ axis: SexagesimalDegrees.Axis, _ buffer: UnsafeRawBufferPointer
  ) -> Double? {
    guard let angle = SexagesimalDegrees(field, buffer), angle.axis ?? axis == axis else {
      return nil
    }
    return angle.value
  }

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

extension SexagesimalDegrees {
  /// Reads a field; seconds may be a doubled quote in it.
  fileprivate init?(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[Int(field.start)..<field.end])
    guard field.isEscaped, bytes.count <= 2 * Self.limit else {
      self.init(bytes)
      return
    }
    var text = CSVReader.unescaped(String(decoding: bytes, as: UTF8.self))
    guard let angle = text.withUTF8({ SexagesimalDegrees(UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = angle
  }
}
