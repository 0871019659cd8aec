import Definition
import Files
public import Foundation
import Runs
import SystemPackage

extension TilePipeline {
  /// The number of bytes of features above which they are written to the temporary file.
  private static let pieceSize = 1 << 16

  /// Returns the pipeline with features of the program as the data of a source of records.
  ///
  /// The features are written to a temporary file without a name, which is removed with the last
  /// copy of the returned pipeline: memory does not grow with their number. They are read like a
  /// file of type `geojsonseq` with these features: the archive has the same tiles, and a build of
  /// equal features changes nothing. Keys of the source that say where its data is and how it is
  /// read have no effect, so the file that the pipeline names need not exist.
  ///
  /// - Parameters:
  ///   - name: the name under `sources:`.
  ///   - features: the features in the order in which a file would have them; each is taken once,
  ///     while the thread waits. The call ends with the task that makes it.
  ///   - temporaryFolder: the folder of the temporary file; `nil` for the system's.
  /// - Throws: ``QuadrilleError``: ``QuadrilleError/Code/usage`` if there is no such source or if it has
  ///   images, ``QuadrilleError/Code/badData`` for a feature that cannot be drawn, with its number as
  ///   the line of the place, and the errors of writing the file.
  /// - Complexity: O(size of the features).
  public func replacingSource(
    _ name: String, with features: some Sequence<MapFeature>, temporaryFolder: URL? = nil
  ) throws(QuadrilleError) -> TilePipeline {
    try publicly(hiding: definition.redactions) { () throws(PipelineError) in
      let folder = try (temporaryFolder ?? FileManager.default.temporaryDirectory).filePath()
      let spooled = try Self.spooled(features, in: folder, named: "features of '\(name)'")
      return TilePipeline(try definition.supplying(spooled, to: name))
    }
  }

  private static func spooled(
    _ features: some Sequence<MapFeature>, in folder: String, named name: String
  ) throws(PipelineError) -> SpooledFile {
    do {
      return try SpooledFile(in: FilePath(folder), for: "features") { sink in
        var text = FeatureText()
        var count = 0
        for feature in features {
          count += 1
          do throws(FeatureText.Fault) {
            try text.append(feature)
          } catch {
            throw PipelineError(
              .badData, "\(error.words). Correct the feature, or leave it out.",
              at: DocumentPlace(file: name, line: count))
          }
          guard text.bytes.count >= pieceSize else { continue }
          if Task.isCancelled { throw PipelineError.cancelledByCaller }
          try sink.append(text.bytes)
          text.removeAll()
        }
        try sink.append(text.bytes)
      }
    } catch let error as PipelineError {
      throw error
    } catch {
      throw PipelineError(
        .cannotCreate,
        "the temporary file for features cannot be written in \(folder). Pass a folder with more room.",
        cause: "\(error)")
    }
  }
}
