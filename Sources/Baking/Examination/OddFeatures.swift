import Definition
import Examination
import Features
package import Inputs
import Ingest
import OrderedCollections
package import Runs
package import SourceStages

/// The features of vector tiles that cannot be read, of one source: they are left out, as MapLibre
/// leaves them out, unless they are more than half of the source.
package struct OddFeatures {
  private let source: String
  private let place: DocumentPlace

  /// The number of features that were read, with those that could not be.
  private var read = 0
  private var rejected = 0

  /// The message on the first of them.
  private var example: String?

  private init(_ source: ResolvedSource) {
    self.source = source.nameInFile
    place = source.place
  }

  /// Returns a note for each source with such features.
  ///
  /// - Parameter sources: all sources; the layers and zooms of a tileset count together.
  /// - Throws: a ``PipelineError`` where more than half of a source cannot be read.
  static func notes(
    on sources: [(source: ResolvedSource, ledger: SourceLedger)]
  ) throws(PipelineError) -> [String] {
    var counted: OrderedDictionary<String, OddFeatures> = [:]
    for (source, ledger) in sources where source.records?.sparesGeometries == true {
      var odd = counted[source.nameInFile] ?? OddFeatures(source)
      odd.read += ledger.read
      odd.rejected += ledger.rejected[.invalidGeometry] ?? 0
      odd.example = odd.example ?? ledger.examples(of: .invalidGeometry, limit: 1).first?.message
      counted[source.nameInFile] = odd
    }
    let found = counted.values.filter { $0.rejected > 0 }
    if let bad = found.first(where: { 2 * $0.rejected > $0.read }) { throw bad.error }
    return found.map(\.note)
  }

  /// Returns a note for each source of a pipeline with such features, after all sources were checked.
  package static func notes(
    on checked: [CheckedSource], of pipeline: ResolvedPipeline
  ) throws(PipelineError) -> [String] {
    try notes(
      on: pipeline.sources.map { source in
        let found = checked.first { $0.name == source.name }
        return (source, found?.examination?.ledger ?? SourceLedger())
      })
  }

  private var counts: String {
    "\(ReportNumber.count(rejected)) of the \(ReportNumber.count(read)) features and layers in the "
      + "tiles of source '\(source)' cannot be read"
  }

  private var first: String { example.map { " (the first: \($0))" } ?? "" }

  private var note: String {
    "\(place): \(counts), and are left out\(first). 'onError: {max: 0}' makes that an error."
  }

  private var error: PipelineError {
    PipelineError(
      .badData,
      "\(counts), more than half\(first). 'onError: {max: \(rejected)}' leaves them out.", at: place
    )
  }
}
