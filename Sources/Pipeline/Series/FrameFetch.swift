import Overlays

/// Turns the addresses of frames and of their lists into files: the only place that knows urls.
struct FrameFetch {
  /// The file of an address.
  ///
  /// - Parameter place: what asks for it.
  /// - Throws: ``PipelineError`` that shows the address without its key.
  func file(of url: RedactedURL, for place: DocumentPlace) throws(PipelineError) -> String {
    throw PipelineError(
      .definition,
      "\(url) is behind a url, which this version cannot fetch yet. Download it and name the file.",
      at: place)
  }

  /// Whether a text is an address, and not a path.
  static func isAddress(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }
}
