import SQLite

/// The check of tables, views, columns and indexes against the schema of docs/archive.md.
struct SchemaCheck {
  let database: Database

  private struct Relation {
    let columns: [(name: String, type: String)]
    /// The columns that a unique index must cover, in order; empty for a view.
    var key: [String] = []
    /// The columns that an index may cover instead, whether or not it is unique; empty for none.
    var lookup: [String] = []
  }

  private static let tile = [
    ("zoom_level", "INTEGER"), ("tile_column", "INTEGER"), ("tile_row", "INTEGER"),
  ]
  private static let tileKey = tile.map(\.0)
  private static let keys = [("key_name", "TEXT"), ("key_json", "TEXT")]
  private static let metadata = Relation(
    columns: [("name", "TEXT"), ("value", "TEXT")], key: ["name"])

  /// Returns the tables and views that an archive must have, by layout.
  private static func required(_ layout: StoredLayout) -> [(name: String, relation: Relation)] {
    let tiles = tile + [("tile_data", "BLOB")]
    return switch layout {
    case .dedup:
      [
        ("metadata", metadata),
        (
          "map", Relation(columns: tile + [("tile_id", "TEXT"), ("grid_id", "TEXT")], key: tileKey)
        ),
        (
          "images",
          Relation(columns: [("tile_id", "TEXT"), ("tile_data", "BLOB")], key: ["tile_id"])
        ),
        ("tiles", Relation(columns: tiles)),
      ]
    case .flat: [("metadata", metadata), ("tiles", Relation(columns: tiles, key: tileKey))]
    case .view: [("metadata", metadata), ("tiles", Relation(columns: tiles))]
    }
  }

  /// The tables and views that an archive may have in addition: UTFGrid, and compact taps.
  private static let optional: [(name: String, relation: Relation)] = [
    (
      "grid_utfgrid",
      Relation(columns: [("grid_id", "TEXT"), ("grid_utfgrid", "BLOB")], key: ["grid_id"])
    ),
    (
      "grid_key",
      Relation(
        columns: [("grid_id", "TEXT"), ("key_name", "TEXT")], key: ["grid_id", "key_name"],
        lookup: ["grid_id"])
    ),
    ("keymap", Relation(columns: keys, key: ["key_name"])),
    ("grids", Relation(columns: tile + [("grid", "BLOB")])),
    ("grid_data", Relation(columns: tile + keys)),
    (
      "taps",
      Relation(
        columns: [
          ("zoom_level", "INTEGER"), ("block_column", "INTEGER"), ("block_row", "INTEGER"),
          ("block_data", "BLOB"),
        ], key: ["zoom_level", "block_column", "block_row"])
    ),
    (
      "tap_entries",
      Relation(
        columns: [("first_feature", "INTEGER"), ("entry_data", "BLOB")], key: ["first_feature"])
    ),
  ]

  func run(_ layout: StoredLayout, _ log: inout FindingLog) throws(SQLiteError) {
    let required = Self.required(layout)
    let known = required + Self.optional
    let objects = try SchemaObject.all(in: database)
    for object in objects {
      checkKind(object, isKnown: known.contains { $0.name == object.name }, &log)
    }
    for (name, relation) in required where !objects.contains(where: { $0.name == name }) {
      log.error(
        .schema, "there is no table or view '\(name)' with \(relation.columns.count) columns.")
    }
    for (name, relation) in known {
      guard let object = objects.first(where: { $0.name == name && $0.isRelation }) else {
        continue
      }
      try checkColumns(of: name, relation, &log)
      if object.kind == "table", !relation.key.isEmpty {
        try checkIndexes(of: name, relation, &log)
      }
    }
    if layout == .view {
      log.warning(
        .schema,
        "the view 'tiles' is not made of tables 'map' and 'images'; WhirlyGlobe does not find it.")
    }
    checkView(layout, objects, &log)
  }

  private func checkKind(_ object: SchemaObject, isKnown: Bool, _ log: inout FindingLog) {
    switch object.kind {
    case "trigger":
      log.error(.schema, "there is a trigger '\(object.name)'.")
    case "table" where object.normalized.hasPrefix("create virtual"):
      log.error(.schema, "the table '\(object.name)' is virtual.")
    case "table", "view":
      if !isKnown {
        log.warning(.schema, "there is a \(object.kind) '\(object.name)' that no reader knows.")
      }
    default: break
    }
  }

  private func checkColumns(
    of name: String, _ relation: Relation, _ log: inout FindingLog
  ) throws(SQLiteError) {
    let list = try database.prepare("SELECT wr, strict FROM pragma_table_list(?1)")
    try list.bind(name, at: 1)
    if try list.step(), list.integer(0) != 0 || list.integer(1) != 0 {
      log.error(
        .schema, "the table '\(name)' is STRICT or WITHOUT ROWID, which old readers refuse.")
    }
    let statement = try database.prepare("SELECT name, type, hidden FROM pragma_table_xinfo(?1)")
    try statement.bind(name, at: 1)
    var found: [String: String] = [:]
    while try statement.step() {
      let column = statement.text(0) ?? ""
      found[column] = statement.text(1)?.uppercased() ?? ""
      if statement.integer(2) != 0 {
        log.error(.schema, "the column '\(name).\(column)' is generated or hidden.")
      }
      if !relation.columns.contains(where: { $0.name == column }) {
        log.warning(.schema, "the column '\(name).\(column)' is known to no reader.")
      }
    }
    for (column, type) in relation.columns {
      switch found[column] {
      case nil: log.error(.schema, "there is no column '\(name).\(column)'.")
      case type: break
      case let other?:
        log.error(
          .schema,
          "the column '\(name).\(column)' is declared '\(other)', not \(type): readers that bind"
            + " text find no rows.")
      }
    }
  }

  private func checkIndexes(
    of name: String, _ relation: Relation, _ log: inout FindingLog
  ) throws(SQLiteError) {
    let list = try database.prepare(
      "SELECT name, \"unique\", partial FROM pragma_index_list(?1) ORDER BY name")
    try list.bind(name, at: 1)
    var isFound = false
    while try list.step() {
      let index = list.text(0) ?? ""
      let columns = try database.prepare(
        "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno")
      try columns.bind(index, at: 1)
      var names: [String] = []
      let isUnique = list.integer(1) != 0
      var isPlain = list.integer(2) == 0
      while try columns.step() {
        names.append(columns.text(0) ?? "an expression")
        isPlain = isPlain && columns.integer(1) == 0 && columns.text(2) == "BINARY"
      }
      if isPlain, isUnique && names == relation.key || !names.isEmpty && names == relation.lookup {
        isFound = true
      } else {
        log.warning(.schema, "there is an index '\(index)' that no query of a reader needs.")
      }
    }
    if !isFound {
      let key = (relation.lookup.isEmpty ? relation.key : relation.lookup).joined(separator: ", ")
      let kind = relation.lookup.isEmpty ? "unique index" : "index"
      log.error(.schema, "there is no \(kind) on \(name)(\(key)).")
    }
  }

  /// Checks that the view is exactly the join: a condition would hide tiles.
  private func checkView(
    _ layout: StoredLayout, _ objects: [SchemaObject], _ log: inout FindingLog
  ) {
    guard layout == .dedup, let view = objects.first(where: { $0.name == "tiles" }) else { return }
    guard let own = ArchiveLayout.dedup.tables.split(separator: ";").last else { return }
    if view.normalized != SchemaObject.normalize(String(own)) {
      log.warning(.schema, "the view 'tiles' is not the plain join of 'map' and 'images'.")
    }
  }
}

/// One row of SQLite's schema table.
struct SchemaObject {
  /// `table`, `view`, `index` or `trigger`.
  let kind: String
  let name: String
  /// The SQL statement that created it, as ``normalize(_:)`` returns it.
  let normalized: String

  var isRelation: Bool { kind == "table" || kind == "view" }

  /// Returns all objects but SQLite's own, sorted by name; at most 1000 are read.
  static func all(in database: Database) throws(SQLiteError) -> [SchemaObject] {
    let statement = try database.prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex%'"
        + " ORDER BY name LIMIT 1000")
    var objects: [SchemaObject] = []
    while try statement.step() {
      objects.append(
        SchemaObject(
          kind: statement.text(0) ?? "", name: statement.text(1) ?? "",
          normalized: normalize(statement.text(2) ?? "")))
    }
    return objects
  }

  /// Returns a statement in lower case, with runs of whitespace as one space, and without spaces
  /// beside commas and parentheses.
  static func normalize(_ sql: String) -> String {
    let words = sql.lowercased().split(whereSeparator: \.isWhitespace)
    var text = ""
    for character in words.joined(separator: " ") {
      if ",()".contains(character), text.last == " " { text.removeLast() }
      if character == " ", let last = text.last, ",()".contains(last) { continue }
      text.append(character)
    }
    return text
  }
}
