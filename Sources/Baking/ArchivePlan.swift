package import Reports
package import Reuse

/// A planned archive: everything that its publication needs to know of its tiles.
package struct ArchivePlan {
  /// The pixel density.
  package let scale: Int

  package let rows: PlannedRows

  /// Whether any tile is drawn.
  package let drawsAnything: Bool

  /// Whether the scenes of all tiles were made because tiles show more than symbols.
  package var makesAllScenes = false

  /// The blocks of vector tiles; `nil` if tilesets are not read block by block.
  package var blocks: BuildReport.Blocks?

  package let decision: LayoutDecision
  package let paint: PaintKey

  /// Notes for the user on the data, labels and numbers, a sentence each.
  package var notes: [String]

  package init(
    scale: Int, rows: PlannedRows, drawsAnything: Bool, decision: LayoutDecision, paint: PaintKey,
    notes: [String]
  ) {
    self.scale = scale
    self.rows = rows
    self.drawsAnything = drawsAnything
    self.decision = decision
    self.paint = paint
    self.notes = notes
  }
}
