import Fetching
import Overlays
import SystemPackage

/// Turns the addresses of frames and of their lists into files, in this run.
struct FrameFetch: Sendable {
  /// Fetches an address; its errors show no secret.
  let fetch: @Sendable (_ address: String, ContentKind) throws -> FetchedFile

  /// The file of an address.
  ///
  /// - Throws: `FetchError` that shows the address without its key.
  func file(of url: RedactedURL, kind: ContentKind) throws -> String {
    try fetch(url.revealed(), kind).path.string
  }

  /// Whether a text is an address, and not a path.
  static func isAddress(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }
}

extension FetchError {
  /// Whether the server is there and has no such image: the frame is missing, the rest goes on.
  var isMissingFrame: Bool { status == 404 || status == 410 || code == .wrongContent }
}
