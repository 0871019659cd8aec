import Foundation

extension Peer {
  /// The peers whose places the environment names, and for each other one a line that says how to
  /// name it.
  static func available(in workshop: Workshop) throws -> (peers: [Peer], skipped: [String]) {
    var peers: [Peer] = []
    var skipped: [String] = []
    for entry in Entry.all {
      if let place = ProcessInfo.processInfo.environment[entry.variable], !place.isEmpty {
        peers.append(try entry.make(workshop, place))
      } else {
        skipped.append("\(entry.variable): \(entry.meaning)")
      }
    }
    return (peers, skipped)
  }

  /// How a variable of the environment becomes a peer.
  private struct Entry {
    var variable: String
    var meaning: String
    var make: (Workshop, String) throws -> Peer

    static var all: [Entry] {
      [
        Entry(variable: "SUPERCLUSTER", meaning: "supercluster's index.js", make: supercluster),
        Entry(
          variable: "QUADTREE",
          meaning: "a program that takes FILE MAXZOOM cells and prints 'cells: SECONDS'",
          make: quadTree),
        Entry(variable: "DUCKDB_PYTHON", meaning: "a python3 that has duckdb", make: duckDB),
        Entry(variable: "TIPPECANOE", meaning: "tippecanoe", make: tippecanoe),
        Entry(
          variable: "PILLOW_CHAIN",
          meaning: "a command with {csv} and {out} that draws clustered tiles with Pillow",
          make: { try chain($0, $1, name: "supercluster → Pillow → SQLite, 2 processes") }),
        Entry(
          variable: "MAPNIK_CHAIN", meaning: "the same with Mapnik",
          make: { try chain($0, $1, name: "supercluster → Mapnik → SQLite, 2 processes") }),
      ]
    }
  }

  private static func supercluster(_ workshop: Workshop, _ place: String) throws -> Peer {
    var ours = Bake(pipeline: "hotels-radius", rows: 1_000_000)
    ours.drawsLittle = true
    let command = Command(
      [
        "node", "--max-old-space-size=16000", workshop.peer("supercluster.mjs"),
        try workshop.hotels(ours.rows), "16", "44",
      ], environment: ["SUPERCLUSTER": place])
    return Peer(
      job: "1,000,000 points, clusters by radius, z0–16", name: "supercluster", command: command,
      ours: ours, stage: "cluster", marker: "cluster ")
  }

  private static func quadTree(_ workshop: Workshop, _ place: String) throws -> Peer {
    var ours = Bake(pipeline: "hotels", rows: 1_000_000)
    ours.drawsLittle = true
    return Peer(
      job: "1,000,000 points, clusters by grid, z0–16",
      name: "quad tree in C, one range query a cell",
      command: Command([place, try workshop.hotels(ours.rows), "16", "cells"]),
      ours: ours, stage: "cluster", marker: "cells: ")
  }

  private static func duckDB(_ workshop: Workshop, _ place: String) throws -> Peer {
    var ours = Bake(pipeline: "ingest", rows: 1_000_000)
    (ours.threads, ours.drawsLittle, ours.maxZoom) = (1, true, 0)
    return Peer(
      job: "1,000,000 rows of CSV to columns, all 5 kept, 1 worker", name: "DuckDB read_csv",
      command: Command([place, workshop.peer("duckdb_csv.py"), try workshop.hotels(ours.rows)]),
      ours: ours, stage: "ingest", marker: "ingest ")
  }

  private static func tippecanoe(_ workshop: Workshop, _ place: String) throws -> Peer {
    let ours = Bake(pipeline: "hotels", rows: 87_000)
    let headed = try workshop.hotelsWithHeader(ours.rows)
    return Peer(
      job: "87,000 hotels to an archive, z0–16",
      name: "tippecanoe, vector tiles: nothing is drawn",
      command: Command([
        place, "-q", "-f", "-o", workshop.scratch + "/tippecanoe.mbtiles", "-z16", "-r1",
        "--cluster-distance=44", "-X", headed,
      ]), ours: ours)
  }

  private static func chain(_ workshop: Workshop, _ template: String, name: String) throws -> Peer {
    let ours = Bake(pipeline: "hotels", rows: 87_000)
    let line =
      template
      .replacingOccurrences(of: "{csv}", with: "'\(try workshop.hotels(ours.rows))'")
      .replacingOccurrences(of: "{out}", with: "'\(workshop.scratch)/chain.mbtiles'")
    return Peer(
      job: "87,000 hotels to an archive, z0–16", name: name, command: Command(shell: line),
      ours: ours)
  }
}
