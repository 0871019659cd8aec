package import Definition

extension ResolvedPipeline {
  /// The image series, in the order of the file.
  package var seriesSources: [ResolvedSource] { sources.filter { $0.series != nil } }

  /// The pipeline without series and the layers that draw them: the part that is read once for all
  /// frames.
  package var withoutSeries: ResolvedPipeline { showing(nil, in: nil) }

  /// Returns the pipeline in which an image replaces one series, and the other series are removed.
  ///
  /// - Parameters:
  ///   - source: the series with its position on the map.
  ///   - path: the image; `nil` for the part that all frames share.
  package func showing(_ source: SourceDefinition?, in path: String?) -> ResolvedPipeline {
    let others = Set(seriesSources.map(\.name)).subtracting([source?.name].compactMap(\.self))
    var still = self
    still.sources = sources.compactMap { other in
      if let source, other.name == source.name { return source.still(path) }
      return others.contains(other.name) ? nil : other
    }
    still.definition.layers.removeAll { layer in
      layer.source.map { others.contains($0) } ?? false
    }
    return still
  }
}

extension SourceDefinition {
  /// Returns the source as a single image, without the keys of the series, so that they do not
  /// affect a frame's pixels.
  fileprivate func still(_ path: String?) -> ResolvedSource {
    guard var image = series?.image else { return ResolvedSource(self, MissingData(self)) }
    var still = self
    image.isFrame = true
    still.kind = .image(image)
    still.data = path.map { .file($0) } ?? .none
    let names = Set(SeriesKeys.keys.map(\.name))
    still.node = DocumentNode(
      .object((node.members ?? []).filter { !names.contains($0.key) }), at: node.place)
    return ResolvedSource(still, path.map { LocalFile($0) } ?? MissingData(still))
  }
}
