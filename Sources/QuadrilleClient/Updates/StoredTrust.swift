import Foundation

/// The file `NAME.update-state.json` beside an archive, which keeps an ``UpdateTrust``.
struct StoredTrust {
  private let path: String
  private let files: FileActions

  /// The keys that the app brings along.
  private let anchors: [UpdateKey]

  private struct Document: Codable {
    var sequence: Int
    var keys: [String]
    /// The app's keys when `keys` were accepted: an app that brings others starts with these.
    var anchors: [String]?
  }

  init(stem: String, anchors: [UpdateKey], _ files: FileActions) {
    path = stem + ".update-state.json"
    self.anchors = anchors
    self.files = files
  }

  /// Returns what is remembered; a file that is damaged counts as none.
  func load() -> UpdateTrust {
    guard let data = FileManager.default.contents(atPath: path),
      let document = try? JSONDecoder().decode(Document.self, from: data),
      (0...UpdateList.sizeLimit).contains(document.sequence)
    else { return UpdateTrust(keys: anchors) }
    let keys = document.keys.compactMap { UpdateKey(base64: $0) }
    let isCurrent =
      document.anchors == anchors.map(\.base64) && keys.count == document.keys.count
      && keys.isEmpty == anchors.isEmpty
    return UpdateTrust(sequence: document.sequence, keys: isCurrent ? keys : anchors)
  }

  /// Reads the list of an archive or series, and remembers what it says.
  func accepting<List: SignedList>(_ data: Data, of name: String) throws(ClientError) -> List {
    var trust = load()
    let list: List = try trust.acceptList(data, of: name, at: Date())
    try store(trust)
    return list
  }

  /// Remembers a trust: after a crash the file is the old or the new one.
  private func store(_ trust: UpdateTrust) throws(ClientError) {
    let document = Document(
      sequence: trust.sequence, keys: trust.keys.map(\.base64), anchors: anchors.map(\.base64))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document) else { return }
    try files.replace(path, by: data)
  }
}
