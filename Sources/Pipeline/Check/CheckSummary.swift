import Features
package import Ingest

/// What `check` found out about a pipeline without building it.
package struct CheckSummary: Sendable {
  package var pipeline: String
  package var notes: [DefinitionNote]

  /// What the pipeline is, a line for people.
  package var conclusion: String

  /// The sources in the order of the file; empty after a quick check.
  package var sources: [CheckedSource] = []

  /// Records that are used, of all sources.
  var usedRecords: Int { sources.reduce(0) { $0 + ($1.examination?.ledger.used ?? 0) } }

  /// What a build would note of the layers, a sentence each; empty after a quick check.
  package var layerNotes: [String] = []

  /// Why a build would be refused although it would take each source by itself.
  package var refusal: PipelineError?

  /// Why a build would be refused, for the first source that it would be refused for.
  package var failure: PipelineError? {
    sources.lazy.compactMap { $0.examination?.failure }.first.map { PipelineError($0) } ?? refusal
  }
}

/// One source after all of it was read.
package struct CheckedSource: Sendable {
  package var name: String
  package var type: SourceType

  /// The data as messages name it.
  package var file: String

  /// Why a build would leave the source out; `nil` for one that takes part.
  package var absence: String?

  /// How many frames a series has, all of them whole; `nil` for what is no series.
  package var frames: Int?

  /// What its records are like; `nil` for images, which have none.
  package var examination: SourceExamination?
}
