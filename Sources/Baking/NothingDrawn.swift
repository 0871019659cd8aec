import Definition
package import Runs

// The refusal of an archive without tiles.
extension Build {
  /// Refuses an archive without tiles, unless `expect` allows it and every source is intact.
  ///
  /// - Parameter notes: the known reasons.
  package func requireNothingAllowed(
    of sources: [ClusteredSource], because notes: DataNotes
  ) throws(PipelineError) {
    guard definition.expectation.allowsNothing, !sources.contains(where: \.isLost) else {
      throw nothingDrawn(of: sources, because: notes)
    }
  }

  /// Returns the error for an archive without tiles.
  ///
  /// - Parameter notes: the known reasons.
  package func nothingDrawn(
    of sources: [ClusteredSource], because notes: DataNotes = DataNotes()
  ) -> PipelineError {
    let counts = sources.compactMap(\.countsRead)
    let shown = counts.prefix(5).joined(separator: "; ") + (counts.count > 5 ? " …" : "")
    let reasons = sources.compactMap(\.reasonOfLoss).prefix(1) + notes.all
    let remedy = "Check the filters, the layers' zooms and 'bounds'."
    return PipelineError(
      .unexpected,
      "nothing would be drawn at zoom \(definition.tiles.minZoom) to "
        + "\(definition.tiles.maxZoom): no archive is published"
        + (shown.isEmpty ? ". " : " (\(shown)). ")
        + (reasons.isEmpty ? remedy : reasons.prefix(5).joined(separator: " ")),
      at: DocumentPlace(file: definition.file))
  }
}
