package import Features
package import Ingest
package import RecordChanges
import SystemPackage

// The readers that apply a definition's changes to the records of the source's own reader.
extension ChangeDefinition {
  /// Returns the request to the source's own reader: no record may be left out before it is
  /// changed, and the keys must be read.
  ///
  /// - Parameter id: the source's `id:`.
  package func request(_ request: ReadRequest, id: String?) -> ReadRequest {
    guard !isEmpty else { return request }
    var changed = request
    changed.bounds = nil
    changed.conditions = []
    // A property that a table may add need not exist in the source; where it does, it is kept.
    changed.selected = request.selected?.filter { !mayGain($0) }
    changed.tested += request.selected?.filter(mayGain) ?? []
    for name in keys(id: id) {
      if changed.wanted?.contains(name) == false { changed.wanted?.append(name) }
      if !changed.tested.contains(name) { changed.tested.append(name) }
    }
    return changed
  }

  /// Returns a reader that applies the edits and joins to the records of the source's own reader.
  ///
  /// - Parameters:
  ///   - base: the reader of the source's format for ``request(_:id:)``.
  ///   - csv: the options of a CSV source; `nil` for other formats.
  ///   - request: the request to the changed source.
  ///   - tables: the content of packed tables, by their names in messages.
  /// - Throws: ``SourceError`` when a log or table cannot be read or does not fit.
  package func reader(
    over base: any FeatureReader, csv: CSVOptions?, id: String?, request: ReadRequest,
    tables: [String: SourceInput] = [:]
  ) throws(SourceError) -> any FeatureReader {
    var reader = base
    if let log = try editLog(over: base.propertyNames, csv: csv, id: id, request: request) {
      reader = EditedReader(reader, log: log)
    }
    for join in joins {
      var options = join.options
      options.wanted = request.wanted.map { $0 + joins.map(\.options.left) }
      let input = tables[join.name] ?? .file(FilePath(join.path), name: join.path)
      if let member = join.member, tables[join.name] == nil {
        throw SourceError(
          code: .configuration, file: join.path,
          message: "is no zip file or spreadsheet and has no '\(member)' in it")
      }
      let objects = try CSVSource.table(input, delimiter: options.csv.delimiter)
      let table = try JoinTable(reading: try (objects ?? input).stream(), options: options)
      reader = JoinedReader(reader, table: table)
    }
    return reader
  }

  /// Reads the log of edits; `nil` without one.
  ///
  /// - Parameters:
  ///   - names: the properties of the source's own reader.
  ///   - csv: the options of a CSV source; `nil` for other formats.
  ///   - request: the request to the changed source.
  /// - Throws: ``SourceError`` when the log cannot be read or does not fit.
  package func editLog(
    over names: [String], csv: CSVOptions?, id: String?, request: ReadRequest
  ) throws(SourceError) -> EditLog? {
    guard let edits else { return nil }
    // The columns are known before the first record for a CSV file only, and those are all it has.
    return try edits.log(
      columns: csv == nil ? [] : names, csv: csv, id: id, request: self.request(request, id: id))
  }

  /// Whether a joined table may have a column that becomes this property.
  package func mayGain(_ name: String) -> Bool {
    joins.contains { join in
      guard name.hasPrefix(join.options.prefix) else { return false }
      let column = String(name.dropFirst(join.options.prefix.count))
      return join.options.select?.contains(column) ?? (column != join.options.right)
    }
  }

  /// Returns the properties by which records are found.
  private func keys(id: String?) -> [String] {
    joins.map(\.options.left) + (edits == nil ? [] : id.map { [$0] } ?? [])
  }
}

extension EditsDefinition {
  /// Reads the log.
  ///
  /// - Parameter columns: those that an entry which replaces a record must have.
  fileprivate func log(
    columns: [String], csv: CSVOptions?, id: String?, request: ReadRequest
  ) throws(SourceError) -> EditLog {
    var options = EditLogOptions()
    options.key = id
    options.operation = operation
    options.time = time
    options.csv = csv ?? CSVOptions()
    options.csv.wanted = request.wanted
    options.csv.select = request.selected
    options.csv.tested = request.tested
    options.geoJSON = GeoJSONOptions(wanted: request.wanted)
    options.sourceColumns = columns
    var sources: [(source: ByteSource, form: EditLogForm)] = []
    for file in files {
      sources.append((try ByteSource(path: FilePath(file.path), name: file.path), file.form))
    }
    return try EditLog.read(sources, options: options)
  }
}
