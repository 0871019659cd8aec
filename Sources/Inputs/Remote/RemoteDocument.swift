package import Definition
import Fetching
package import Runs
import SystemPackage

extension PipelineDefinition {
  /// Reads and checks a pipeline: a local file, or one at an http(s) URL.
  ///
  /// A URL is fetched through the cache of a folder. Its query and the password in it are hidden
  /// wherever the pipeline is named.
  ///
  /// - Parameters:
  ///   - more: further files to include.
  ///   - replacements: data in place of that of sources.
  ///   - caches: the folder that contains the cache, the current one by default.
  ///   - options: whether the network may be used, and which caches are enabled.
  /// - Throws: ``PipelineError`` whose message does not contain secrets.
  package init(
    from name: String, including more: [String] = [],
    replacing replacements: [SourceReplacement] = [], options: BuildOptions, caches: String = "",
    cancellation: Cancellation, environment: @escaping Document.Environment
  ) throws(PipelineError) {
    guard DataLocation.isAddress(name) else {
      try self.init(
        contentsOf: name, including: more, replacing: replacements, environment: environment)
      return
    }
    let address = PipelineAddress(name)
    do {
      let bytes = try address.bytes(options, caches: FilePath(caches), cancellation)
      let document = try Document(bytes: bytes, file: address.shown, environment: environment)
      try self.init(
        document, including: more, replacing: replacements, environment: environment)
    } catch {
      throw error.redacted(by: address.secrets)
    }
    redactions.add(address.secrets)
  }
}

/// The URL of a pipeline.
private struct PipelineAddress {
  let address: String

  /// The URL without its query, and without a user name and password before the host.
  let shown: String

  /// The values in the query, and the password.
  var secrets = RedactionList()

  init(_ address: String) {
    self.address = address
    let end = address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
    for pair in address[end...].split(whereSeparator: { "?&#".contains($0) }) {
      secrets.add(String(pair.split(separator: "=", maxSplits: 1).last ?? ""))
    }
    var shown = String(address[..<end])
    if let start = shown.firstRange(of: "://")?.upperBound {
      let hostEnd = shown[start...].firstIndex(of: "/") ?? shown.endIndex
      if let at = shown[start..<hostEnd].lastIndex(of: "@") {
        for part in shown[start..<at].split(separator: ":") { secrets.add(String(part)) }
        shown.removeSubrange(start...at)
      }
    }
    self.shown = shown
  }

  /// Returns the text of the pipeline, from its server or from the cache.
  func bytes(
    _ options: BuildOptions, caches: FilePath, _ cancellation: Cancellation
  ) throws(PipelineError) -> [UInt8] {
    var fetching = FetchOptions()
    fetching.offline = options.offline
    fetching.maximumBytes = Int64(DocumentLimits().bytes)
    let folder = try InputStage.cacheFolder(beside: caches, options)
    let fetched = try PipelineError.wrapping {
      let resource = try RemoteResource(
        address, kind: .any, secrets: SecretValues(secrets.values))
      return try Fetcher(
        cache: folder, fetching,
        FetchSurroundings(isCancelled: { cancellation.isCancelled })
      ).fetch(resource)
    }
    return try DocumentFile.read(fetched.path, limit: DocumentLimits().bytes)
  }
}
