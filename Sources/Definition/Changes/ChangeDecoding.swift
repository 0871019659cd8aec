import Ingest
import OrderedCollections
import RecordChanges
import Runs

/// A decoder of the `edits` and `join` keys; it refuses contradictory values.
struct ChangeDecoder {
  let paths: DefinitionPaths

  /// Decodes both keys of a source of records that passed ``KeyCheck``.
  ///
  /// - Parameter namesKeys: whether the format gives records an id without `id:`.
  func changes(
    _ source: KeyedNode, namesKeys: Bool
  ) throws(PipelineError) -> ChangeDefinition {
    var changes = ChangeDefinition()
    if let member = source.node.member("edits") {
      if !namesKeys, source.node["id"] == nil {
        throw source.fault(
          "edits", "'edits' needs 'id', the column by which its entries name records.")
      }
      changes.edits = try edits(member)
    }
    for node in source.node["join"].map({ $0.items ?? [$0] }) ?? [] {
      changes.joins.append(try join(KeyedNode(node, ChangeKeys.joinObject)))
    }
    return changes
  }

  // MARK: Edits

  private func edits(_ member: DocumentMember) throws(PipelineError) -> EditsDefinition {
    let isObject = member.node.members != nil
    let empty = DocumentNode(.object([]), at: member.node.place)
    let keyed = KeyedNode(isObject ? member.node : empty, ChangeKeys.editsObject)
    let data = isObject ? member.node["data"] ?? empty : member.node
    var files: [EditsDefinition.File] = []
    for node in data.items ?? [data] {
      let path = try path(node)
      guard
        let form = keyed.choice("type", as: EditLogForm.self) ?? Self.form(of: node.text ?? "")
      else {
        throw node.place.fault(
          "the name '\(node.text ?? "")' does not show the form of this log. Write "
            + "'edits: {data: …, type: csv}', or type geojsonseq.")
      }
      files.append(EditsDefinition.File(path: path, form: form))
    }
    let operation: String = try keyed.value("op")
    let time: String = try keyed.value("time")
    if operation == time {
      throw keyed.fault("time", "'op' and 'time' are both '\(time)'. Give them two columns.")
    }
    return EditsDefinition(
      files: files, isOptional: try keyed.value("optional"), operation: operation, time: time)
  }

  /// Returns the form that the ending of a file's name stands for.
  private static func form(of path: String) -> EditLogForm? {
    let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch suffix {
    case "csv", "tsv", "txt": return .csv
    case "geojsonseq", "geojsonl", "geojsons", "ndgeojson", "ndjson", "jsonl": return .geojsonseq
    default: return nil
    }
  }

  // MARK: Joins

  private func join(_ keyed: KeyedNode) throws(PipelineError) -> JoinDefinition {
    let sides = keyed.object("on", ChangeKeys.joinSides)
    let both = keyed.text("on")
    guard let left = both ?? sides.text("left"), let right = both ?? sides.text("right") else {
      throw keyed.fault("on", "'on' must be a property, or {left: …, right: …}.")
    }
    var options = JoinOptions(left: left, right: right)
    options.comparison = try keyed.value("compare")
    options.leftPrefix = sides.text("leftPrefix") ?? ""
    options.rightPrefix = sides.text("rightPrefix") ?? ""
    options.select = keyed.texts("select")
    options.prefix = keyed.text("prefix") ?? ""
    options.onDuplicate = try keyed.value("onDuplicate")
    let delimiter: String = try keyed.value("delimiter")
    guard let byte = CSVOptions.delimiter(named: delimiter) else {
      throw keyed.fault(
        "delimiter",
        "'delimiter' must be one ASCII character other than a quote, or tab, but it is "
          + "'\(delimiter)'.")
    }
    options.csv.delimiter = byte
    options.csv.encoding = try TextEncoding.value(of: keyed) ?? options.csv.encoding
    options.csv.decimal = try keyed.value("decimal")
    for member in keyed.node["types"]?.members ?? [] {
      options.csv.types[member.key] = member.node.text.flatMap(CSVOptions.ColumnType.init)
    }
    guard let data = keyed.node["data"] else {
      throw keyed.fault("on", "a join needs 'data', the table.")
    }
    let path = try path(data)
    let split = MemberName.split(path)
    return JoinDefinition(
      path: split?.file ?? path, member: split?.member, options: options)
  }

  /// Resolves the path of a file that is not fetched.
  private func path(_ node: DocumentNode) throws(PipelineError) -> String {
    try paths.localFile(node, "logs of edits and joined tables")
  }
}
