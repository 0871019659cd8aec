import Definition
public import Foundation
import Pipeline
import Runs

/// A pipeline: where data is, how it is drawn, and which tiles are made of it.
///
/// ```swift
/// let pipeline = try TilePipeline(contentsOf: URL(filePath: "stores.yml"))
/// let results = try await pipeline.build()
/// ```
///
/// The value is decoded and its keys are checked; data is read by ``check(_:cancellation:)``,
/// ``build(_:cancellation:progress:)`` and ``render(_:size:scale:settings:cancellation:)``. A pipeline
/// can be used by several tasks at once, but only one build at a time publishes an archive; another one
/// ends with ``QuadrilleError/Code/locked``.
public struct TilePipeline: Sendable {
  let definition: PipelineDefinition

  init(_ definition: PipelineDefinition) { self.definition = definition }

  /// Reads a pipeline file (YAML or JSON), a MapLibre style or a SpatialConnect config.
  ///
  /// - Parameters:
  ///   - url: its file URL; paths in it are relative to its folder.
  ///   - variables: the values for `${NAME}` in it. The environment of the process is not read.
  /// - Throws: ``QuadrilleError`` with the place of the first wrong key, and with all others.
  public init(
    contentsOf url: URL, variables: [String: String] = [:]
  ) throws(QuadrilleError) {
    definition = try publicly { () throws(PipelineError) in
      try PipelineDefinition(contentsOf: try url.filePath(), environment: { variables[$0] })
    }
  }

  /// Decodes a pipeline from its text.
  ///
  /// - Parameters:
  ///   - text: YAML, or JSON if it begins with a brace.
  ///   - file: the file that messages name. Paths in the text are relative to its folder; the file
  ///     itself need not exist.
  ///   - variables: the values for `${NAME}` in it.
  /// - Throws: ``QuadrilleError`` with the place of the first wrong key, and with all others.
  public init(
    text: String, file: URL = URL(filePath: "pipeline.yml"), variables: [String: String] = [:]
  ) throws(QuadrilleError) {
    definition = try publicly { () throws(PipelineError) in
      let document = try Document(
        bytes: Array(text.utf8), file: try file.filePath(), environment: { variables[$0] })
      return try PipelineDefinition(document, environment: { variables[$0] })
    }
  }

  /// The tileset's name.
  public var name: String { definition.name }

  /// The files of the archives that a build publishes, one for each pixel density.
  public var archives: [URL] {
    definition.tiles.scales.map { URL(file: definition.output.path(scale: $0)) }
  }

  /// Notes on keys that have no effect, a sentence each.
  public var notes: [String] { definition.notes.map { definition.redactions.redact("\($0)") } }

  // MARK: Check

  /// Reads all data and says what is or looks wrong, without building anything; blocks the thread.
  ///
  /// - Throws: ``QuadrilleError`` if the check itself cannot go on, as for a missing file; what a
  ///   build would fail with is ``CheckResult/failure``.
  public func check(
    _ settings: BuildSettings = BuildSettings(), cancellation: RunCancellation = RunCancellation()
  ) throws(QuadrilleError) -> CheckResult {
    let summary = try publicly(hiding: definition.redactions) { () throws(PipelineError) in
      try cancellation.run(maxSeconds: settings.maxSeconds) { flag throws(PipelineError) in
        try PipelineRunner.check(
          definition, options: try settings.options(), cancellation: flag)
      }
    }
    return CheckResult(summary, hiding: definition.redactions)
  }

  /// Reads all data and says what is or looks wrong; ends when the task is cancelled.
  public func check(
    _ settings: BuildSettings = BuildSettings()
  ) async throws(QuadrilleError) -> CheckResult {
    try await Self.run { (cancellation) throws(QuadrilleError) in
      try check(settings, cancellation: cancellation)
    }
  }

  // MARK: Build

  /// Bakes the tiles and publishes the archives; blocks the thread.
  ///
  /// Work is divided among ``BuildSettings/threads`` threads of its own. The archive in place is
  /// replaced at the end, in one step; a build that fails or is cancelled leaves it as it is.
  ///
  /// - Returns: one result for each archive.
  public func build(
    _ settings: BuildSettings = BuildSettings(), cancellation: RunCancellation = RunCancellation(),
    progress: @escaping BuildProgressHandler = { _ in }
  ) throws(QuadrilleError) -> [BuildResult] {
    try publicly(hiding: definition.redactions) { () throws(PipelineError) in
      try cancellation.run(maxSeconds: settings.maxSeconds) { flag throws(PipelineError) in
        try PipelineRunner.build(
          definition, options: try settings.options(), cancellation: flag,
          progress: { progress(BuildProgress($0)) })
      }
    }.map { BuildResult($0, hiding: definition.redactions) }
  }

  /// Bakes the tiles and publishes the archives on threads of its own; ends when the task is
  /// cancelled. See ``building(_:)`` for its events as a sequence.
  ///
  /// - Returns: one result for each archive.
  public func build(
    _ settings: BuildSettings = BuildSettings(), progress: @escaping BuildProgressHandler = { _ in }
  ) async throws(QuadrilleError) -> [BuildResult] {
    try await Self.run { (cancellation) throws(QuadrilleError) in
      try build(settings, cancellation: cancellation, progress: progress)
    }
  }
}
