package import JSON
import Runs

/// The shards of a plan: their tiles or frames, estimated seconds and bytes.
package struct ShardPlanSummary: Hashable, Sendable {
  /// The unit into which the work is divided.
  package enum Unit: String, Hashable, Sendable {
    case tiles
    case frames
  }

  package struct Shard: Hashable, Sendable {
    /// The number of tiles or frames.
    package var count: Int

    /// The estimated time of painting on one core, in seconds.
    package var seconds: Double

    /// The estimated size of the images in bytes.
    package var bytes: Int
  }

  /// The tileset's name.
  package var pipeline: String

  /// The path of the plan's folder.
  package var folder: String
  package var unit: Unit
  package var shards: [Shard]

  /// The number of rows above which the table is shortened.
  private static let shownShards = 24

  /// The plan as a table, with the commands that follow.
  package var summary: String {
    var rows = [["shard", unit.rawValue, "seconds", "bytes"]]
    for (number, shard) in shards.prefix(Self.shownShards).enumerated() {
      rows.append([
        "\(number)", ReportNumber.count(shard.count), ReportNumber.short(shard.seconds),
        ReportNumber.bytes(shard.bytes),
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
        .joined(separator: "  ")
    }
    let hidden = shards.count - Self.shownShards
    let total = shards.reduce(0) { $0 + $1.count }
    let seconds = shards.reduce(0) { $0 + $1.seconds }
    return """
      \(pipeline): \(ReportNumber.count(total)) \(unit.rawValue) in \(shards.count) \
      shard\(shards.count == 1 ? "" : "s"), about \(ReportNumber.short(seconds)) s on one core
      \(lines.joined(separator: "\n"))\(hidden > 0 ? "\n… and \(hidden) more" : "")
      paint each: quadrille build --shard 0 \(folder)   (0 to \(shards.count - 1), or @env)
      then: quadrille merge \(folder)
      """
  }

  package var json: ReportJSON {
    .members([
      "pipeline": .string(pipeline), "folder": .string(folder),
      "shards": .array(
        shards.map { shard in
          .members([
            unit.rawValue: .integer(shard.count), "seconds": .seconds(shard.seconds),
            "bytes": .integer(shard.bytes),
          ])
        }),
    ])
  }
}
