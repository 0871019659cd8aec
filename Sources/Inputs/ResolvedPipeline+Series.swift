package import Definition

extension ResolvedPipeline {
  /// The series of images and of records, in the order of the file.
  package var seriesSources: [ResolvedSource] { sources.filter { $0.series != nil } }

  /// The pipeline without series and the layers that draw them: the part that is read once for all
  /// frames.
  package var withoutSeries: ResolvedPipeline { showing(nil, in: nil) }

  /// The pipeline in which records with frames are read as if they had none, without series of
  /// images.
  package var withoutFrames: ResolvedPipeline {
    var whole = self
    for index in sources.indices where sources[index].series != nil {
      whole.sources[index] = sources[index].showing(.all)
    }
    return whole.withoutSeries
  }

  /// Returns the pipeline in which one picture replaces one series, and the other series are removed.
  ///
  /// - Parameters:
  ///   - source: the series, of images with its position on the map.
  ///   - path: the image; `nil` for the part that all frames share.
  ///   - view: the records that are read of a series of records.
  package func showing(
    _ source: SourceDefinition?, in path: String?, view: FrameWindows.View = .all
  ) -> ResolvedPipeline {
    let others = Set(seriesSources.map(\.name)).subtracting([source?.name].compactMap(\.self))
    var still = self
    still.sources = sources.compactMap { other in
      if let source, other.name == source.name {
        return other.records == nil ? source.still(path) : other.showing(view)
      }
      return others.contains(other.name) ? nil : other
    }
    still.definition.layers.removeAll { layer in
      layer.source.map { others.contains($0) } ?? false
    }
    return still
  }

  /// Returns the pipeline without the data of a source, for what all its frames share.
  package func withoutData(of name: String) -> ResolvedPipeline {
    var without = self
    for index in sources.indices where sources[index].name == name {
      without.sources[index].origin = MissingData(sources[index].definition)
      without.sources[index].records?.changes = ChangeDefinition()
    }
    return without
  }
}

extension ResolvedSource {
  /// Returns a source of records as one picture, without the keys of the frames, so that they do not
  /// affect its pixels; other sources are returned as they are.
  fileprivate func showing(_ view: FrameWindows.View) -> ResolvedSource {
    guard records?.windows != nil else { return self }
    var still = self
    still.records?.windows?.view = view
    still.definition.node = node.without([FrameWindowKeys.name])
    return still
  }
}

extension DocumentNode {
  fileprivate func without(_ names: Set<String>) -> DocumentNode {
    DocumentNode(.object((members ?? []).filter { !names.contains($0.key) }), at: place)
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
    still.node = node.without(Set(SeriesKeys.keys.map(\.name)))
    return ResolvedSource(still, path.map { LocalFile($0) } ?? MissingData(still))
  }
}
