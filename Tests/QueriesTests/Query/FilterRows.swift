import Foundation
import SQLite
import TestSupport

/// Random rows of numbers, texts, truth values and gaps, as a CSV file, as GeoJSON and as a table
/// of SQLite.
struct FilterRows {
  /// What texts hold: what patterns, quotes and orders may stumble over.
  static let texts = [
    "a", "ab", "Ab", "aXb", "x_y", "100%", "50%_", "it's", "zürich", "Zürich", "naïve", "😀", "B",
    "[a]", "a*b", "?", "b c",
  ]

  private struct Row {
    var n: Int?
    var r: Double?
    var s: String?
    var t: String?
    var b: Bool?
  }

  private let rows: [Row]

  init(count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func some<Value>(_ value: Value) -> Value? {
      Int.random(in: 0..<5, using: &random) == 0 ? nil : value
    }
    func text() -> String { Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)] }
    rows = (0..<count).map { _ in
      let whole = Double(Int.random(in: -5...5, using: &random))
      let broken = [2.5, -0.25, 1e6, 0.001][Int.random(in: 0..<4, using: &random)]
      return Row(
        n: some(Int.random(in: -5...5, using: &random)),
        r: some(Bool.random(using: &random) ? whole : broken), s: some(text()), t: some(text()),
        b: some(Bool.random(using: &random)))
    }
  }

  /// A header and the rows with their numbers, from 0; gaps are empty.
  var csv: String {
    let lines = rows.enumerated().map { index, row in
      let texts = [row.s, row.t].map { $0.map { "\"\($0)\"" } ?? "" }.joined(separator: ",")
      let numbers = "\(row.n.map { "\($0)" } ?? ""),\(row.r.map { "\($0)" } ?? "")"
      return "\(index % 90),1,\(index),\(numbers),\(texts),\(row.b.map { "\($0)" } ?? "")"
    }
    return (["lng,lat,i,n,r,s,t,b"] + lines).joined(separator: "\n")
  }

  /// The same; a gap is null or no member, by turns.
  var geojson: String {
    let features = rows.enumerated().map { index, row in
      let members: [(String, String?)] = [
        ("i", "\(index)"), ("n", row.n.map { "\($0)" }), ("r", row.r.map { "\($0)" }),
        ("s", row.s.map { "\"\($0)\"" }), ("t", row.t.map { "\"\($0)\"" }),
        ("b", row.b.map { "\($0)" }),
      ]
      let properties = members.compactMap { name, value in
        value == nil && index.isMultiple(of: 2) ? nil : "\"\(name)\":\(value ?? "null")"
      }
      return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index % 90),1]},"#
        + "\"properties\":{\(properties.joined(separator: ","))}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}"
  }

  /// A table `x` with the same columns; its numbers are doubles.
  func database() throws -> Database {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE x (i, n, r, s, t, b)")
    for (index, row) in rows.enumerated() {
      let statement = try database.prepare("INSERT INTO x VALUES (?, ?, ?, ?, ?, ?)")
      try statement.bind(Int64(index), at: 1)
      if let n = row.n { try statement.bind(Double(n), at: 2) }
      if let r = row.r { try statement.bind(r, at: 3) }
      if let s = row.s { try statement.bind(s, at: 4) }
      if let t = row.t { try statement.bind(t, at: 5) }
      if let b = row.b { try statement.bind(b ? 1 : Int64(0), at: 6) }
      try statement.run()
    }
    return database
  }
}
