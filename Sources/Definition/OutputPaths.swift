import SystemPackage

extension PipelineDefinition {
  /// The files that a build publishes, for each tileset one per density: archives, or the manifests
  /// of image series (`NAME.frames.json`).
  package var outputPaths: [[String]] {
    guard hasSeries else { return [tiles.scales.map { output.path(scale: $0) }] }
    let folder = FilePath(output.path).removingLastComponent()
    let sources = sources.filter({ $0.series != nil })
    return sources.map { source in
      tiles.scales.map { scale in
        let name = seriesName(sources.count > 1 ? source.name : nil, scale: scale)
        return folder.appending("\(name)\(OutputDefinition.manifestSuffix)").string
      }
    }
  }

  /// Returns the prefix of the names of a series' files.
  ///
  /// - Parameter source: the series, where there are several.
  package func seriesName(_ source: String?, scale: Int) -> String {
    let stem = FilePath(output.path).stem ?? name
    return "\(stem)\(source.map { "-\($0)" } ?? "")\(scale == 1 ? "" : "@\(scale)x")"
  }
}
