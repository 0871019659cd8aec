import Features

// The geometries of records that have them in one column.
extension CSVRows {
  /// Whether the geometry that was read last had an open ring.
  var closedRings: Bool { geometryText.closesRings }

  /// Reads a field as the geometry of the open row.
  ///
  /// - Throws: ``GeometryRefusal`` with the offset of the problem in the field as the file has it.
  func readGeometry(
    _ field: CSVField, _ buffer: UnsafeRawBufferPointer
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[Int(field.start)..<field.end])
    if firstPair == nil, GeometryText.Form(bytes) == .pair {
      firstPair = String(decoding: bytes.prefix(64), as: UTF8.self)
    }
    guard field.isEscaped, field.isQuoted else {
      return try geometryText.read(bytes, into: &geometries)
    }
    let (plain, places) = Self.unescaped(bytes)
    let result = plain.withUnsafeBytes { plain -> Result<GeometryColumn.Kind, GeometryRefusal> in
      do throws(GeometryRefusal) {
        return .success(try geometryText.read(plain, into: &geometries))
      } catch {
        // Each doubled quote before it is one byte more in the file.
        var moved = error
        moved.offset += places.count { $0 < error.offset }
        return .failure(moved)
      }
    }
    return try result.get()
  }

  /// Ends the geometry of the open row.
  func endGeometry(_ kind: GeometryColumn.Kind) { geometries.endRecord(kind) }

  /// Drops what was read of the open row's geometry.
  func abandonGeometry() { geometries.abandonRecord() }

  /// Returns a field without its doubled quotes, and the places in it of those that are left.
  private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> ([UInt8], [Int]) {
    var plain: [UInt8] = []
    var places: [Int] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") {
        places.append(plain.count)
        index += 1
      }
      if index < bytes.count { plain.append(bytes[index]) }
      index += 1
    }
    return (plain, places)
  }
}
