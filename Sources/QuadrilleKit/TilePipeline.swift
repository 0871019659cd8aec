import Definition
import Pipeline
import Runs

/// A pipeline: where data is, how it is drawn, and which tiles are made of it.
///
/// ```swift
/// let pipeline = try TilePipeline(contentsOf: "stores.yml")
/// let results = try await pipeline.build()
/// ```
///
/// The value is decoded and its keys are checked; data is read by ``check(_:cancellation:)`` and
/// ``build(_:cancellation:progress:)``. A pipeline can be used by several tasks at once, but only one
/// build at a time publishes an archive; another one ends with ``QuadrilleError/Code/locked``.
public struct TilePipeline: Sendable {
  private let definition: PipelineDefinition

  /// Reads a pipeline file (YAML or JSON), a MapLibre style or a SpatialConnect config.
  ///
  /// - Parameters:
  ///   - file: its path; paths in it are relative to its folder.
  ///   - variables: the values for `${NAME}` in it. The environment of the process is not read.
  /// - Throws: ``QuadrilleError`` with the place of the first wrong key, and with all others.
  public init(
    contentsOf file: String, variables: [String: String] = [:]
  ) throws(QuadrilleError) {
    definition = try publicly { () throws(PipelineError) in
      try PipelineDefinition(contentsOf: file, environment: { variables[$0] })
    }
  }

  /// Decodes a pipeline from its text.
  ///
  /// - Parameters:
  ///   - text: YAML, or JSON if it begins with a brace.
  ///   - file: the path that messages name. Paths in the text are relative to its folder; the file
  ///     itself need not exist.
  ///   - variables: the values for `${NAME}` in it.
  /// - Throws: ``QuadrilleError`` with the place of the first wrong key, and with all others.
  public init(
    text: String, file: String = "pipeline.yml", variables: [String: String] = [:]
  ) throws(QuadrilleError) {
    definition = try publicly { () throws(PipelineError) in
      let document = try Document(
        bytes: Array(text.utf8), file: file, environment: { variables[$0] })
      return try PipelineDefinition(document, environment: { variables[$0] })
    }
  }

  /// The tileset's name.
  public var name: String { definition.name }

  /// The paths of the archives that a build publishes, one for each pixel density.
  public var archives: [String] {
    definition.tiles.scales.map { definition.output.path(scale: $0) }
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
        try PipelineRunner.check(definition, options: settings.options, cancellation: flag)
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
          definition, options: settings.options, cancellation: flag,
          progress: { progress(BuildProgress($0)) })
      }
    }.map { BuildResult($0, hiding: definition.redactions) }
  }

  /// Bakes the tiles and publishes the archives on threads of its own; ends when the task is
  /// cancelled.
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
