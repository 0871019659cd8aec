import JSON
import Runs

/// The outcomes of the frames of a series.
package struct SeriesReport: Hashable, Sendable {
  /// A run of missing frames.
  package struct Gap: Hashable, Sendable {
    /// The frames before and after the gap.
    package var from: String
    package var to: String
    package var missing: Int

    /// The treatment of the gap, `skip` or `hold`.
    package var policy: String

    package init(from: String, to: String, missing: Int, policy: String) {
      self.from = from
      self.to = to
      self.missing = missing
      self.policy = policy
    }
  }

  /// The number of frames in the manifest.
  package var frames = 0

  /// The instants of the first and the last frame.
  package var first = ""
  package var latest = ""

  /// The numbers of frames whose archives were made in this run, and of those that stayed.
  package var built = 0
  package var unchanged = 0

  /// The number of archives that were removed.
  package var expired = 0

  /// The number of older frames that `keep` left out.
  package var leftOut = 0

  /// The number of frames that were replaced by another one of the same instant.
  package var replaced = 0

  package var gaps: [Gap] = []

  /// A line for each frame whose image could not be used.
  package var unusable: [String] = []

  /// The number of tiles of new frames, and of the frames after them, that were compared with the
  /// frame before; then the number of those that are identical to it.
  package var comparedTiles = 0
  package var identicalTiles = 0

  /// The paths of the animation and the contact sheet.
  package var pictures: [String] = []

  package init() {}
}

extension SeriesReport {
  var json: ReportJSON {
    .members([
      "frames": .integer(frames), "first": .string(first), "latest": .string(latest),
      "built": .integer(built), "unchanged": .integer(unchanged), "expired": .integer(expired),
      "leftOut": .integer(leftOut), "replaced": .integer(replaced),
      "gaps": .array(
        gaps.map {
          .members([
            "from": .string($0.from), "to": .string($0.to), "missing": .integer($0.missing),
            "policy": .string($0.policy),
          ])
        }),
      "unusable": .array(unusable.map { .string($0) }),
      "comparedTiles": .integer(comparedTiles), "identicalTiles": .integer(identicalTiles),
      "pictures": .array(pictures.map { .string($0) }),
    ])
  }

  /// A table of the counts, then a line for each gap and for each frame without an image.
  var table: String {
    var table = ReportTable(
      [
        ["frames", "\(ReportNumber.count(frames)), \(first) to \(latest)"],
        [
          "built",
          "\(ReportNumber.count(built)), \(ReportNumber.count(unchanged)) unchanged, "
            + "\(ReportNumber.count(expired)) expired",
        ],
      ], text: [0, 1])
    if leftOut > 0 { table.rows.append(["left out", "\(ReportNumber.count(leftOut)) by 'keep'"]) }
    if replaced > 0 {
      table.rows.append(["replaced", "\(ReportNumber.count(replaced)) of the same instant"])
    }
    for gap in gaps {
      table.rows.append(
        [
          "gap",
          "\(ReportNumber.count(gap.missing)) between \(gap.from) and \(gap.to): \(gap.policy)",
        ]
      )
    }
    for line in unusable { table.rows.append(["unusable", line]) }
    if comparedTiles > 0 {
      table.rows.append([
        "identical",
        "\(ReportNumber.count(identicalTiles)) of \(ReportNumber.count(comparedTiles)) tiles are "
          + "those of the frame before",
      ])
    }
    for picture in pictures { table.rows.append(["picture", picture]) }
    return table.text
  }
}
