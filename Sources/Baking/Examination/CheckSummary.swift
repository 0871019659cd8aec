package import Definition
import Features
package import Ingest
package import Runs

/// What `check` found out about a pipeline without building it.
package struct CheckSummary: Sendable {
  package var pipeline: String
  package var notes: [DefinitionNote]

  /// What the pipeline is, a line for people.
  package var conclusion: String

  /// The sources in the order of the file; empty after a quick check.
  package var sources: [CheckedSource] = []

  /// Records that are used, of all sources.
  package var usedRecords: Int { sources.reduce(0) { $0 + ($1.examination?.ledger.used ?? 0) } }

  /// What a build would note of the layers, a sentence each; empty after a quick check.
  package var layerNotes: [String] = []

  /// Why a build would be refused although it would take each source by itself.
  package var refusal: PipelineError?

  package init(
    pipeline: String,
    notes: [DefinitionNote],
    conclusion: String,
    sources: [CheckedSource] = [],
    layerNotes: [String] = [],
    refusal: PipelineError? = nil
  ) {
    self.pipeline = pipeline
    self.notes = notes
    self.conclusion = conclusion
    self.sources = sources
    self.layerNotes = layerNotes
    self.refusal = refusal
  }

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
