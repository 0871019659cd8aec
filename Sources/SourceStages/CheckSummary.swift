package import Definition
package import Examination
import Features
import Ingest
package import Runs

/// The findings of `check` on a pipeline, without building it.
package struct CheckSummary: Sendable {
  package var pipeline: String
  package var notes: [DefinitionNote]

  /// A summary of the pipeline, a line for people.
  package var conclusion: String

  /// The sources in the order of the file; empty after a quick check.
  package var sources: [CheckedSource] = []

  /// The number of used records, of all sources.
  package var usedRecords: Int { sources.reduce(0) { $0 + ($1.examination?.ledger.used ?? 0) } }

  /// The notes that a build would make on the layers, a sentence each; empty after a quick check.
  package var layerNotes: [String] = []

  /// The error with which a build would be refused although each source by itself is valid.
  package var refusal: PipelineError?

  package init(pipeline: String, notes: [DefinitionNote], conclusion: String) {
    self.pipeline = pipeline
    self.notes = notes
    self.conclusion = conclusion
  }

  /// The error with which a build would be refused, for the first source that has one.
  package var failure: PipelineError? {
    sources.lazy.compactMap { $0.examination?.failure }.first.map { PipelineError($0) } ?? refusal
  }
}

/// A source after it was read completely.
package struct CheckedSource: Sendable {
  package var name: String
  package var type: String

  /// The name of the data in messages.
  package var file: String

  /// The reason why a build would leave the source out; `nil` for one that takes part.
  package var absence: String?

  /// The number of frames of a series, all of them valid; `nil` for other sources.
  package var frames: Int?

  /// What is not obvious about the place of its image; `nil` for nothing.
  package var imageNote: String?

  /// The examination of its records; `nil` for images, which have none.
  package var examination: SourceExamination?

  /// The part of vector tiles that it is; `nil` for other sources.
  package var part: Part?

  /// A layer of vector tiles at one of their zooms.
  package struct Part: Sendable {
    /// The source in the pipeline file.
    package var source: String
    package var layer: String
    package var zoom: Int

    package var use: VectorTileSource.Part.Use
  }
}
