import Features
import OrderedCollections

/// The columns of a CSV file and which of them matter, decided before the first record.
package struct CSVSchema: Sendable {
  /// A column that is kept.
  package struct Kept: Sendable {
    var name: String
    /// The column's position in the file, from 0.
    var place: Int
    var type: CSVOptions.ColumnType?
  }

  /// The names of all columns, in the order of the file.
  package let names: [String]
  /// The positions of the coordinate columns, if records have a geometry.
  package let coordinates: (x: Int, y: Int)?
  /// The position of the column that holds whole geometries, if there is one.
  package let geometry: Int?
  package let kept: [Kept]
  /// The names of the columns that may be kept, whether or not they will be read.
  package let selected: [String]
  /// Columns whose values are checked record by record.
  package let checked: [Kept]
  /// The line of the file that names the columns; 0 for none.
  package let line: Int

  /// Resolves the options against the columns of a file.
  ///
  /// - Parameters:
  ///   - line: the line of the file that names the columns; 0 for none.
  ///   - cursor: positioned after the header line.
  /// - Throws: ``SourceError`` `configuration` for a column that is missing or occurs twice.
  init(
    names: [String], line: Int, options: CSVOptions, cursor: CSVCursor
  ) throws(SourceError) {
    let columns = try CSVColumnNames(names, line: line, cursor: cursor)
    let geometryName = options.hasGeometry ? options.geometry?.name : nil
    let hasCoordinates = options.hasGeometry && geometryName == nil
    if options.allowsMissingColumns {
      coordinates = hasCoordinates ? try? columns.coordinates(options) : nil
      geometry = geometryName.flatMap { columns.places[$0] }
    } else {
      coordinates = hasCoordinates ? try columns.coordinates(options) : nil
      geometry = try geometryName.map { name throws(SourceError) in
        try columns.place(of: name, key: "geometry")
      }
      for name in options.select ?? [] { _ = try columns.place(of: name, key: "select") }
      for name in options.types.keys { _ = try columns.place(of: name, key: "types") }
    }
    func isSelected(_ name: String) -> Bool {
      options.select?.contains(name) ?? true || options.tested.contains(name)
    }
    selected = columns.names.filter(isSelected)
    kept = columns.names.indices.compactMap { place in
      let name = columns.names[place]
      guard isSelected(name), options.wanted?.contains(name) ?? true else { return nil }
      return Kept(name: name, place: place, type: options.types[name])
    }
    checked = options.types.compactMap { name, type in
      guard type != .string, let place = columns.places[name] else { return nil }
      return Kept(name: name, place: place, type: type)
    }
    self.names = columns.names
    self.line = line
  }
}

/// The names of a file's columns, each once, and the error for one that is not among them.
private struct CSVColumnNames {
  let names: [String]
  private(set) var places: [String: Int] = [:]
  private let file: String
  private let line: Int
  private let cursor: CSVCursor

  /// Creates the list; a column without a name is named by its number, `column_3`.
  init(_ given: [String], line: Int, cursor: CSVCursor) throws(SourceError) {
    names = given.enumerated().map { $1.isEmpty ? "column_\($0 + 1)" : $1 }
    file = cursor.source.name
    self.line = line
    self.cursor = cursor
    for (place, name) in names.enumerated() {
      if let first = places[name] {
        throw SourceError(
          code: .configuration, file: file, line: line,
          message: "columns \(first + 1) and \(place + 1) are both named '\(name)'. "
            + "Name them with 'columns:' (and 'header: true' to skip this line).")
      }
      places[name] = place
    }
  }

  func coordinates(_ options: CSVOptions) throws(SourceError) -> (x: Int, y: Int) {
    let x = try place(
      of: options.x, known: CSVOptions.longitudeNames, key: "x", meaning: "longitude")
    let y = try place(
      of: options.y, known: CSVOptions.latitudeNames, key: "y", meaning: "latitude")
    return (x, y)
  }

  /// Returns the position of a named column, or of the first well-known one that exists.
  private func place(
    of name: String?, known: [String], key: String, meaning: String
  ) throws(SourceError) -> Int {
    if let name { return try place(of: name, key: key) }
    for candidate in known {
      if let place = names.firstIndex(where: { $0.lowercased() == candidate }) { return place }
    }
    throw error(.coordinate(meaning, known), key: key)
  }

  func place(of name: String, key: String) throws(SourceError) -> Int {
    guard let place = places[name] else {
      throw error(.column(name), key: key)
    }
    return place
  }

  private func error(_ wanted: UnknownColumn.Wanted, key: String) -> SourceError {
    CSVSchema.missing(
      UnknownColumn(wanted, " in \(file)", known: names, key: key), file: file, line: line,
      doubt: CSVDelimiterDoubt(cursor, after: names))
  }
}
