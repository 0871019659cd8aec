import Runs
import SystemPackage

/// Resolves the paths of a pipeline file, which are relative to it.
///
/// The paths of a pipeline behind a url are urls of its server: it names no file of this machine, and
/// writes into the current folder and those below it.
struct DefinitionPaths {
  /// The folder of the pipeline file, empty for the current one.
  let folder: FilePath

  /// The url of a pipeline that is behind one.
  private let url: String?

  init(file: String) {
    let isRemote = FrameFetch.isAddress(file)
    url = isRemote ? file : nil
    folder = isRemote ? FilePath("") : FilePath(file).removingLastComponent()
  }

  /// Whether the pipeline is behind a url.
  var isRemote: Bool { url != nil }

  /// A path relative to the current folder; `..` is resolved by name, not through links.
  func resolve(_ path: String) -> String {
    folder.pushing(FilePath(path)).lexicallyNormalized().string
  }

  /// What a `data:` or `url:` names: an http(s) url or a file.
  func location(_ text: String, key: DocumentMember) throws(PipelineError) -> DataLocation {
    guard let scheme = Self.scheme(of: text) else {
      return isRemote ? .url(address(text)) : .file(resolve(text))
    }
    guard scheme == "http" || scheme == "https" else {
      throw PipelineError(
        .definition,
        "urls with '\(scheme)://' are not supported. Use http, https or the path of a file.",
        at: key.node.place)
    }
    return .url(text)
  }

  /// What a text stands for: itself in a file, and for an address; a url where the pipeline is behind
  /// one. What is in braces stays.
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

  /// The scheme of a url in small letters; nil for a path, whose query may name urls.
  private static func scheme(of text: String) -> String? {
    let path = text.prefix { $0 != "?" }
    return path.firstRange(of: "://").map { path[..<$0.lowerBound].lowercased() }
  }

  /// The path of a file that is never fetched.
  ///
  /// - Parameter noun: what messages call such files.
  func localFile(_ node: DocumentNode, _ noun: String) throws(PipelineError) -> String {
    let text = node.text ?? ""
    guard !isRemote, !text.contains("://") else {
      throw PipelineError(.definition, "\(noun) must be local files.", at: node.place)
    }
    return resolve(text)
  }

  /// The path of an archive.
  func output(_ path: String, at place: DocumentPlace) throws(PipelineError) -> String {
    let resolved = resolve(path)
    guard !isRemote || !(resolved.hasPrefix("/") || resolved.hasPrefix("..")) else {
      throw PipelineError(
        .definition,
        "a pipeline behind a url writes into the current folder or below it. Name the archive with "
          + "'-o'.", at: place)
    }
    return resolved
  }
}
