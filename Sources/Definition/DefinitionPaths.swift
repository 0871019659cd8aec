import Features
import Runs
import SystemPackage

/// A resolver of the paths of a pipeline file, which are relative to it.
///
/// The paths of a pipeline at a URL are URLs of its server: it cannot name files of this machine,
/// and it writes only into the current folder and those below it.
struct DefinitionPaths {
  /// The folder of the pipeline file; empty for the current one.
  let folder: FilePath

  /// The URL of a remote pipeline; `nil` for a local one.
  private let url: String?

  init(file: String) {
    let isRemote = DataLocation.isAddress(file)
    url = isRemote ? file : nil
    folder = isRemote ? FilePath("") : FilePath(file).removingLastComponent()
  }

  /// Whether the pipeline was loaded from a URL.
  var isRemote: Bool { url != nil }

  /// Returns a path relative to the current folder; `..` is resolved lexically, not through links.
  func resolve(_ path: String) -> String {
    folder.pushing(FilePath(path)).lexicallyNormalized().string
  }

  /// Resolves the value of `data:` or `url:` to an http(s) URL or a file; one of the command line is
  /// relative to the current folder.
  func location(_ text: String, key: DocumentMember) throws(PipelineError) -> DataLocation {
    guard key.node.place != SourceReplacement.place || folder.isEmpty && !isRemote else {
      return try DefinitionPaths(file: "").location(text, key: key)
    }
    try Self.requirePath(text, key.node)
    guard let scheme = Self.scheme(of: text) else {
      return isRemote ? .url(address(text)) : .file(resolve(text))
    }
    if scheme == LocalAddresses.scheme, !isRemote {
      throw key.node.place.fault(
        "a url with 'local://' is a path in the folder of --local, or of "
          + "\(LocalAddresses.variable) in the environment. Name it there.")
    }
    // Viewers write these schemes before the address or path of an archive.
    if scheme == "pmtiles" || scheme == "mbtiles" {
      return try location(String(text.dropFirst(scheme.count + 3)), key: key)
    }
    guard scheme == "http" || scheme == "https" else {
      throw key.node.place.fault(
        "urls with '\(scheme)://' are not supported. Use http, https or the path of a file.")
    }
    return .url(text)
  }

  /// Resolves the text of an address: unchanged in a local file and for an absolute URL, otherwise
  /// a URL relative to the remote pipeline. Text in braces stays.
  func address(_ text: String) -> String {
    guard let url, Self.scheme(of: text) == nil, let start = url.firstRange(of: "://") else {
      return text
    }
    let rest = url[start.upperBound...]
    let hostEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    let host = url[..<hostEnd]
    if text.hasPrefix("//") { return url[..<start.lowerBound] + ":" + text }
    var steps: [Substring] = []
    if !text.hasPrefix("/") {
      steps = rest[hostEnd...].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        .dropLast()
    }
    let queryStart = text.firstIndex(of: "?") ?? text.endIndex
    for step in text[..<queryStart].split(separator: "/", omittingEmptySubsequences: true) {
      switch step {
      case ".": break
      case "..": if !steps.isEmpty { steps.removeLast() }
      default: steps.append(step)
      }
    }
    return host + "/" + steps.joined(separator: "/") + text[queryStart...]
  }

  /// Returns the scheme of a URL in lower case; `nil` for a path, whose query may contain URLs.
  private static func scheme(of text: String) -> String? {
    let path = text.prefix { $0 != "?" }
    return path.firstRange(of: "://").map { path[..<$0.lowerBound].lowercased() }
  }

  /// Resolves the path of a file that is never fetched.
  ///
  /// - Parameter noun: the name of such files in messages.
  func localFile(_ node: DocumentNode, _ noun: String) throws(PipelineError) -> String {
    let text = node.text ?? ""
    guard !isRemote, !text.contains("://") else {
      throw node.place.fault("\(noun) must be local files.")
    }
    try Self.requirePath(text, node)
    return resolve(text)
  }

  /// Refuses a path with control characters, such as `"C:\new\table.csv"` has in double quotes.
  private static func requirePath(_ text: String, _ node: DocumentNode) throws(PipelineError) {
    guard text.withoutControls != text else { return }
    throw node.place.fault(
      "\(node.words) has control characters and is no path: in double quotes \\n, \\t and others are "
        + "escapes. Write it in single quotes, or with '/'.")
  }

  /// Resolves the path of an archive.
  func output(_ path: String, at place: DocumentPlace) throws(PipelineError) -> String {
    let resolved = resolve(path)
    guard !isRemote || !(resolved.hasPrefix("/") || resolved.hasPrefix("..")) else {
      throw place.fault(
        "a pipeline behind a url writes into the current folder or below it. Name the archive with "
          + "'-o'.")
    }
    return resolved
  }
}
