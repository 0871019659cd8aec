package import Definition
package import Inputs
package import Runs

extension ResolvedPipeline {
  /// Returns the pipeline whose records or clusters a query selects: the clusters of records with
  /// frames are those of one frame.
  ///
  /// - Parameter sources: the names of the queried sources; none for all.
  /// - Throws: ``PipelineError`` with code `usage` where the options name a series that does not exist.
  package func queried(
    clusters: Bool, of sources: [String], _ options: BuildOptions
  ) throws(PipelineError) -> ResolvedPipeline {
    let all = seriesSources.filter { $0.records != nil }
    guard clusters, !all.isEmpty else {
      guard options.frame == nil, options.series == nil else {
        throw PipelineError(
          .usage, "--frame and --series need --clusters and a source with 'time'.")
      }
      return withoutFrames
    }
    let named = all.filter { options.series == $0.name }
    guard options.series == nil || !named.isEmpty else {
      throw PipelineError(
        .usage, "--series: the series are \(all.map(\.name).joined(separator: ", ")).")
    }
    let asked = all.filter { sources.contains($0.name) }
    let source = named.first ?? asked.first ?? all[0]
    return showing(source.definition, in: nil, view: .frame(options.frame))
  }

  /// Returns the pipeline of one frame, for commands that draw a single picture.
  ///
  /// - Throws: ``PipelineError`` with code `usage` where the options name a series or frame that
  ///   does not exist.
  package func still(_ options: BuildOptions) throws(PipelineError) -> ResolvedPipeline {
    let all = seriesSources
    guard !all.isEmpty else {
      guard options.frame == nil, options.series == nil else {
        throw PipelineError(
          .usage, "--frame and --series need a source of type image-series, or one with 'time'.")
      }
      return self
    }
    guard
      let source = options.series.map({ name in all.first { $0.name == name } }) ?? all.first
    else {
      throw PipelineError(
        .usage, "--series: the series are \(all.map(\.name).joined(separator: ", ")).")
    }
    if source.records != nil {
      return showing(source.definition, in: nil, view: .frame(options.frame))
    }
    var resolved = try PipelineError.wrapping { try ResolvedSeries(source) { _ in } }
    let file = try resolved.wholeFrame(at: options.frame, in: self)
    return showing(resolved.source, in: file.image?.path)
  }
}
