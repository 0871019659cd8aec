import Archives
package import Definition
package import Inputs
import MBTiles
package import Reuse
package import Runs
import SystemPackage

/// A run as it was asked for. The budget of its pipeline may leave the highest zoom and the format
/// open, so only the ``Build`` that it becomes can make tiles.
package struct UndecidedBuild {
  package var pipeline: ResolvedPipeline
  package let context: RunContext

  package init(_ pipeline: ResolvedPipeline, context: RunContext) {
    self.pipeline = pipeline
    self.context = context
  }

  private var definition: PipelineDefinition { pipeline.definition }
  private var options: BuildOptions { context.options }

  /// Returns the build with the highest zoom and the format that the pipeline's budget leaves.
  ///
  /// - Throws: ``PipelineError``: those of a plan, and `unexpected` where nothing fits.
  package func decided() throws(PipelineError) -> Build {
    let build = try ignoringBudget()
    // A frame shows one of the series only.
    if !definition.hasSeries { try pipeline.requireFewTiles(build.prepared.style) }
    try definition.requireCodec()
    guard let budget = definition.tiles.budget else { return build }
    if !options.force, !options.noCache, let (choice, fingerprint) = lastChoice,
      let known = build.taking(choice),
      try known.fingerprint(scale: definition.tiles.scales.first ?? 1).text == fingerprint
    {
      return known
    }
    return try build.within(budget)
  }

  /// The runs that their time limit stopped before their inputs were hashed or their budget decided.
  package var stoppedRuns: StoppedRuns {
    let files = pipeline.drawnSources.flatMap(\.inputFiles).compactMap(\.path)
    let inputs = files.map { path in
      "\(path) \((try? InputStatus(path: path)).map { "\($0)" } ?? "")"
    }
    return StoppedRuns(
      of: "\(definition.output.path), undecided", inputs: inputs.joined(separator: "\n"),
      in: context.artifacts)
  }

  /// Returns the build with what the budget decided for the archive in place; for pictures and
  /// answers that must match the archive.
  package func asLastDecided() throws(PipelineError) -> Build {
    let build = try ignoringBudget()
    return lastChoice.flatMap { build.taking($0.choice) } ?? build
  }

  /// Returns the build with a choice that was made before, `nil` without a budget; `nil` if the
  /// pipeline does not offer this choice.
  package func taking(_ choice: TileBudget.Choice?) throws(PipelineError) -> Build? {
    let build = try ignoringBudget()
    return choice.map { build.taking($0) } ?? build
  }

  /// Returns the build of all zooms, in the first format; for what no budget affects.
  package func ignoringBudget() throws(PipelineError) -> Build {
    try Build(pipeline, context: context)
  }

  /// The choice that the archive in place holds, and the archive's fingerprint.
  private var lastChoice: (choice: TileBudget.Choice, fingerprint: String)? {
    guard definition.tiles.budget != nil,
      let metadata = try? StoredMetadata.read(
        FilePath(definition.output.path(scale: definition.tiles.scales.first ?? 1))),
      let choice = metadata[TileBudget.key].flatMap({ TileBudget.Choice($0) })
    else { return nil }
    return (choice, metadata[ArchiveMetadata.inputsKey] ?? "")
  }
}
