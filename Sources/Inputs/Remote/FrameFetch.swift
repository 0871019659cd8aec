package import Fetching
package import Overlays

/// A function that turns the addresses of frames and of their lists into files, in this run.
package struct FrameFetch: Sendable {
  /// The function that fetches an address; its errors do not show secrets.
  let fetch: @Sendable (_ address: String, ContentKind) throws -> FetchedFile

  package init(fetch: @escaping @Sendable (_ address: String, ContentKind) throws -> FetchedFile) {
    self.fetch = fetch
  }

  /// Returns the file of an address.
  ///
  /// - Throws: `FetchError` that shows the address without its key.
  package func file(of url: RedactedURL, kind: ContentKind) throws -> String {
    try fetch(url.revealed(), kind).path
  }
}

extension FetchError {
  /// Whether the server was reached but has no such image: the frame is missing, and the run
  /// continues.
  package var isMissingFrame: Bool { status == 404 || status == 410 || code == .wrongContent }
}
