package import Features

/// The source that lists the frames of a series.
package enum FrameSource: Sendable {
  /// Files of a folder; the pattern reads times from their names.
  case files(FileGlob, folder: String, pattern: TimePattern)

  /// Names in the pipeline file, with times or a pattern that reads them.
  case list([ListedFrame], pattern: TimePattern?)

  /// A parsed `frames.json`; see ``FramesDocument``.
  case document(PropertyValue, name: String, pattern: TimePattern?)

  /// A layer of a service; see ``CapabilitiesDocument``.
  case capabilities(
    PropertyValue, name: String, layer: String, template: FrameTemplate, secret: SeriesSecret?)

  /// Returns the frames, in the order of the source rather than of time.
  ///
  /// Only folders are read: neither images nor addresses are opened.
  ///
  /// - Throws: ``SeriesError`` with the place, never with a secret.
  package func entries(
    limits: SeriesLimits = SeriesLimits()
  ) throws(SeriesError) -> [FrameEntry] {
    switch self {
    case .files(let glob, let folder, let pattern):
      return try glob.files(in: folder, limits: limits).map { path throws(SeriesError) in
        FrameEntry(time: try pattern.time(in: path), location: .file(path))
      }
    case .list(let frames, let pattern):
      try limits.check(frames: frames.count)
      return try frames.map { frame throws(SeriesError) in
        try FrameEntry(frame, pattern: pattern)
      }
    case .document(let document, let name, let pattern):
      return try FramesDocument(document, name: name, pattern: pattern, limits: limits).entries
    case .capabilities(let document, let name, let layer, let template, let secret):
      do throws(SeriesError) {
        let capabilities = try CapabilitiesDocument(document, name: name)
        return try capabilities.entries(layer: layer, template: template, secret: secret)
      } catch {
        // The document may contain the key in any text that an error repeats.
        throw secret.map { SeriesError(error.code, $0.hidden(in: error.message)) } ?? error
      }
    }
  }
}
