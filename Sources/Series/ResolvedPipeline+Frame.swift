package import Definition
package import Inputs
package import Runs

extension ResolvedPipeline {
  /// Returns the pipeline of one frame, for commands that draw a single picture.
  ///
  /// - Throws: ``PipelineError`` with code `usage` where the options name a series or frame that
  ///   does not exist.
  package func still(_ options: BuildOptions) throws(PipelineError) -> ResolvedPipeline {
    let all = seriesSources
    guard !all.isEmpty else {
      guard options.frame == nil, options.series == nil else {
        throw PipelineError(.usage, "--frame and --series need a source of type image-series.")
      }
      return self
    }
    guard
      let source = options.series.map({ name in all.first { $0.name == name } }) ?? all.first
    else {
      throw PipelineError(
        .usage, "--series: the series are \(all.map(\.name).joined(separator: ", ")).")
    }
    var resolved = try PipelineError.wrapping { try ResolvedSeries(source) { _ in } }
    let file = try resolved.wholeFrame(at: options.frame, in: self)
    return showing(resolved.source, in: file.path)
  }
}
