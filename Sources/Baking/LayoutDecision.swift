import Definition
package import MBTiles
import Reuse
import Runs

/// The layout of an archive, and the sample that decided it.
package struct LayoutDecision: Codable, Sendable {
  package var layout: ArchiveLayout
  /// The estimate; `nil` where no sample was needed.
  package var estimate: TileEstimate?

  /// The size of the archive's pages.
  package var pageSize: PageSize { estimate?.pageSize(layout) ?? .small }
}

extension PipelineDefinition {
  /// The layout that the output asks for, or the only one that it can have; `nil` where the sizes
  /// decide.
  fileprivate var givenLayout: ArchiveLayout? {
    let isDeduplicated = tiles.interactivity?.format == .utfgrid || output.isPMTiles
    return isDeduplicated ? .dedup : output.layout
  }

  /// Returns the layout of an archive of some estimated tiles; the estimate decides the size of the
  /// pages also if the layout is given.
  ///
  /// - Parameter estimate: `nil` where no tile is repeated: the plain table is then the smaller one
  ///   whatever the size of the images.
  func layout(for estimate: TileEstimate?) -> ArchiveLayout {
    givenLayout
      ?? estimate.map { $0.archiveBytes(.dedup) <= $0.archiveBytes(.flat) ? .dedup : .flat }
      ?? .flat
  }
}

extension Build {
  /// Returns the layout of an archive whose images are painted.
  ///
  /// - Parameter images: the number of different images, and their mean size in bytes.
  func layout(
    of rows: PlannedRows, _ images: (count: Int, bytes: Double)
  ) -> LayoutDecision {
    let estimate =
      rows.count == images.count
      ? nil
      : TileEstimate(
        rows: rows.count, images: images.count, bytesPerImage: images.bytes, secondsPerImage: 0)
    return LayoutDecision(layout: definition.layout(for: estimate), estimate: estimate)
  }

  /// Decides the layout of an archive, by the stage `estimate` if need be.
  ///
  /// - Parameter state: the last archive's state, whose images need not be painted for the sample.
  func layout(
    for planned: PlannedTiles, after state: TileState? = nil, _ clock: StageClock
  ) throws(PipelineError) -> LayoutDecision {
    // The archive that a PMTiles file is packed from is temporary.
    if definition.output.isPMTiles { return LayoutDecision(layout: .dedup) }
    let estimate = try clock.stage("estimate", unit: .tiles) { _ in
      planned.rowCount == planned.uses.count ? nil : try planned.estimate(after: state)
    }
    return LayoutDecision(layout: definition.layout(for: estimate), estimate: estimate)
  }
}
