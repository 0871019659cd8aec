package import SourceStages
import Styling
import Definition
import Features
import Inputs
import OrderedCollections
package import Runs

// The refusal of an archive without tiles.
extension Build {
  /// Refuses an archive without tiles, or with nothing but a background, unless `expect` allows it and every source is intact.
  ///
  /// - Parameter notes: the known reasons.
  package func requireNothingAllowed(
    of sources: [ClusteredSource], because notes: DataNotes
  ) throws(PipelineError) {
    guard definition.expectation.allowsNothing, !sources.contains(where: \.isLost) else {
      throw nothingDrawn(of: sources, because: notes)
    }
  }

  /// Returns the error for an archive without tiles, or with nothing but a background.
  ///
  /// - Parameter notes: the known reasons.
  package func nothingDrawn(
    of sources: [ClusteredSource], because notes: DataNotes = DataNotes()
  ) -> PipelineError {
    let counts = sources.countsRead
    let shown = counts.prefix(5).joined(separator: "; ") + (counts.count > 5 ? " …" : "")
    // Among the notes of tilesets are layers that these do not list.
    let tilesets = sources.filter { $0.source.definition.vectorTiles != nil }
    let reasons =
      sources.compactMap(\.reasonOfLoss).prefix(1) + notes.all
      + tilesets.flatMap(\.source.resolved.notes)
    let hasBackground = prepared.style.layers.contains { $0.kind == .background }
    let remedy = "Check the filters, the layers' zooms and 'bounds'."
    return PipelineError(
      .unexpected,
      "nothing \(hasBackground ? "but the background " : "")would be drawn at zoom \(definition.tiles.minZoom) to "
        + "\(definition.tiles.maxZoom): no archive is published"
        + (shown.isEmpty ? ". " : " (\(shown)). ")
        + (reasons.isEmpty ? remedy : reasons.prefix(5).joined(separator: " ")),
      at: DocumentPlace(file: definition.file))
  }
}

extension [ClusteredSource] {
  /// The numbers of records read, filtered and used, as text for each source of the file but images;
  /// those of the layers of a tileset are added up.
  fileprivate var countsRead: [String] {
    let data = filter { $0.source.image == nil }
    let names = OrderedSet(data.map(\.source.resolved.nameInFile))
    return names.map { name in
      let parts = data.filter { $0.source.resolved.nameInFile == name }.map(\.source)
      guard parts.allSatisfy({ $0.resolved.absence == nil }) else {
        return "source '\(name)' could not be fetched"
      }
      func count(_ number: KeyPath<SourceLedger, Int>) -> Int {
        parts.reduce(0) { $0 + $1.ledger[keyPath: number] }
      }
      let beyond = count(\.beyondMap)
      return "of source '\(name)' \(ReportNumber.count(count(\.read))) read, "
        + "\(ReportNumber.count(count(\.filtered))) filtered, "
        + (beyond > 0 ? "\(ReportNumber.count(beyond)) beyond the map, " : "")
        + "\(ReportNumber.count(count(\.used))) used"
    }
  }
}
