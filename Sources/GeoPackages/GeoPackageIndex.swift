import Columns
import Features
import SQLite
import Tiling

/// The spatial index of a table of features: SQLite's R*-tree, read node by node.
///
/// The nodes lie in the plain table `rtree_TABLE_COLUMN_node`, so neither the module that maintains
/// the index nor its virtual table is involved, and a cyclic tree is detected: no node is read
/// twice. Boxes are of 32-bit floats, rounded outward, so the result is a superset. Source: "Shadow
/// Tables", https://www.sqlite.org/rtree.html, and rtree.c: a node is two bytes of depth (of the
/// tree, in node 1), two of the number of cells, and cells of an 8-byte id and four floats, all
/// big-endian.
struct GeoPackageIndex {
  private static let cellBytes = 24
  /// Maximum depth, deeper than any tree of 2⁶³ rows (`RTREE_MAX_DEPTH`).
  private static let depthLimit = 40
  /// Maximum number of nodes waiting to be read.
  private static let openLimit = 1 << 20

  private let nodes: String

  /// Creates the index of a table, `nil` where it is missing or has another form.
  ///
  /// - Throws: ``SourceError`` when the file cannot be read.
  init?(of table: GeoPackageTable, in file: GeoPackageFile) throws(SourceError) {
    guard let geometry = table.geometry, !table.isView, table.key != nil else { return nil }
    let name = "rtree_\(table.name)_\(geometry)"
    guard let entry = try file.entry(name), entry.kind == .virtual,
      Self.isTwoDimensional(entry.sql),
      let node = try file.entry("\(name)_node"), node.isTable,
      try Self.isRegistered(table, geometry, in: file)
    else { return nil }
    nodes = node.name
  }

  /// Whether an SQL definition is `… USING rtree(five names)`.
  private static func isTwoDimensional(_ sql: String) -> Bool {
    let words = String(sql.lowercased().map { $0.isWhitespace ? " " : $0 })
    guard let using = words.split(separator: " using ").last,
      let open = using.firstIndex(of: "("), using.hasSuffix(")")
    else { return false }
    let module = using[..<open].filter { !$0.isWhitespace }
    let names = using[open...].split(separator: ",", omittingEmptySubsequences: false)
    return module == "rtree" && names.count == 5
  }

  /// Whether `gpkg_extensions` says that the index is maintained; without it, the index may be out
  /// of date.
  private static func isRegistered(
    _ table: GeoPackageTable, _ geometry: String, in file: GeoPackageFile
  ) throws(SourceError) -> Bool {
    guard try file.entry("gpkg_extensions")?.isTable == true else { return false }
    return try file.run("read 'gpkg_extensions'") { database throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT 1 FROM gpkg_extensions WHERE table_name = ?1 COLLATE NOCASE "
          + "AND column_name = ?2 COLLATE NOCASE AND extension_name = 'gpkg_rtree_index' LIMIT 1")
      try statement.bind(table.name, at: 1)
      try statement.bind(geometry, at: 2)
      return try statement.step()
    }
  }

  /// The result of a search, or the reason why the index is unusable.
  enum Answer {
    /// The ids of the rows whose boxes touch the search, ascending and distinct.
    case ids([Int64])
    /// All rows, or more than the limit: reading the table in order costs less.
    case tooMany
  }

  /// Finds the rows whose boxes touch each search.
  ///
  /// - Throws: ``SourceError`` `badData` where the tree is damaged.
  /// - Complexity: O(nodes that touch + ids · log ids), one row read per node.
  func search(
    _ search: [GeoPackageSearch], in file: GeoPackageFile
  ) throws(SourceError) -> Answer {
    guard let quoted = SQLName.quoted(nodes) else { return .tooMany }
    file.permit(tables: [nodes])
    let limit = file.limits.indexHits
    var ids: [Int64] = []
    var damage: String?
    var isWhole = false
    try file.run("search the spatial index '\(GeoPackageFile.singleLine(nodes))'") {
      database throws(SQLiteError) in
      let statement = try database.prepare("SELECT data FROM \(quoted) WHERE nodeno = ?1")
      var open: [(node: Int64, depth: Int?)] = [(1, nil)]
      var seen: Set<Int64> = []
      while damage == nil, !isWhole, ids.count <= limit, let next = open.popLast() {
        guard open.count <= Self.openLimit else {
          damage = "it has too many nodes"
          return
        }
        guard seen.insert(next.node).inserted else {
          damage = "node \(next.node) is there twice"
          return
        }
        try statement.bind(next.node, at: 1)
        let isThere = try statement.step()
        if isThere {
          damage = statement.withBytes(0) { node in
            Self.visit(node, depth: next.depth, search, &open, &ids, isWhole: &isWhole)
          }
        } else {
          damage = "node \(next.node) is missing"
        }
        statement.reset()
      }
    }
    if let damage {
      throw file.bad(
        "the spatial index '\(GeoPackageFile.singleLine(nodes))' is damaged: \(damage). Make it "
          + "anew, or leave 'bounds:' out")
    }
    guard !isWhole, ids.count <= limit else { return .tooMany }
    ids.sort()
    return .ids(ids.withoutRepetitions())
  }

  /// Visits the cells of one node.
  ///
  /// - Parameters:
  ///   - depth: levels of nodes below this one; `nil` for the root, which stores its depth.
  ///   - isWhole: set if the root has child nodes and all lie within the search.
  /// - Returns: a description of the damage, if any.
  private static func visit(
    _ node: UnsafeRawBufferPointer, depth: Int?, _ search: [GeoPackageSearch],
    _ open: inout [(node: Int64, depth: Int?)], _ ids: inout [Int64],
    isWhole: inout Bool
  ) -> String? {
    guard node.count >= 4 else { return "a node has \(node.count) bytes" }
    let levels = depth ?? Int(node[0]) << 8 | Int(node[1])
    let cells = Int(node[2]) << 8 | Int(node[3])
    guard levels <= depthLimit, 4 + cells * cellBytes <= node.count else {
      return "a node says \(cells) cells and \(levels) levels, and has \(node.count) bytes"
    }
    func coordinate(_ offset: Int) -> Double {
      let bits = node.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return Double(Float(bitPattern: UInt32(bigEndian: bits)))
    }
    var inside = 0
    for cell in 0..<cells {
      let offset = 4 + cell * cellBytes
      let box = NativeBox(
        minX: coordinate(offset + 8), minY: coordinate(offset + 16),
        maxX: coordinate(offset + 12), maxY: coordinate(offset + 20))
      guard search.allSatisfy({ $0.touches(box) }) else { continue }
      if search.allSatisfy({ $0.contains(box) }) { inside += 1 }
      let id = Int64(bigEndian: node.loadUnaligned(fromByteOffset: offset, as: Int64.self))
      if levels > 0 { open.append((id, levels - 1)) } else { ids.append(id) }
    }
    if depth == nil { isWhole = levels > 0 && inside == cells }
    return nil
  }
}
