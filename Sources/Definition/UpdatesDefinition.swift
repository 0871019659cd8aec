package import Runs

/// The files that every build writes for apps that follow its archive: deltas and their list.
package struct UpdatesDefinition: Hashable, Sendable {
  /// The paths of the private keys that sign the list; none for a list without signatures.
  package var keyFiles: [String]

  /// The seconds for which the list is valid; `nil` for a list without an end.
  package var listSeconds: Int?

  /// The place of the keys in the pipeline file.
  package var place: DocumentPlace
}

extension PipelineKeys {
  static let updates = ObjectSpecification(
    "updates",
    [
      KeySpecification(
        "sign", .oneOf([.string, .list(of: .string, count: 1...8)]),
        "The private key that signs the list, a file of 'keys new'; several while apps change from one "
          + "to another."),
      KeySpecification(
        "keep", .oneOf([.integer(0...KeptDeltas.maxCount), .string]),
        "How many deltas of earlier runs stay in the list, or of how many bytes together (50MB); by "
          + "default of no more bytes than the archive has."),
      KeySpecification(
        "expires", .string,
        "How long apps accept a list, such as 30d: a build that finds nothing new renews it once half of "
          + "that is over."),
    ])
}

extension OutputDecoder {
  /// - Parameter keyed: the keys of `output`.
  func updates(_ keyed: KeyedNode) throws(PipelineError) -> UpdatesDefinition? {
    guard let node = keyed.node["updates"] else { return nil }
    let sign = node["sign"]
    var keys: [String] = []
    for key in sign?.items ?? [sign].compactMap(\.self) {
      keys.append(try paths.localFile(key, "keys"))
    }
    return UpdatesDefinition(
      keyFiles: keys, listSeconds: try listSeconds(KeyedNode(node, PipelineKeys.updates)),
      place: sign?.place ?? node.place)
  }

  private func listSeconds(_ updates: KeyedNode) throws(PipelineError) -> Int? {
    guard let text = updates.text("expires") else { return nil }
    guard let seconds = ListLifetime.seconds(text) else {
      throw updates.fault(
        "expires", "'expires' is a time from 1m on, such as 12h or 30d, not '\(text)'.")
    }
    return seconds
  }

  /// Returns the limit on kept deltas: `keep` of `updates`, or `keepDeltas`.
  ///
  /// - Parameter keyed: the keys of `output`.
  func keptDeltas(_ keyed: KeyedNode, hasSeries: Bool) throws(PipelineError) -> KeptDeltas {
    let key = "keepDeltas"
    let updates = keyed.node["updates"].map { KeyedNode($0, PipelineKeys.updates) }
    guard keyed.node[key] != nil else {
      return try updates.map { updates throws(PipelineError) in
        try kept("keep", of: updates)
      } ?? .archive
    }
    guard !hasSeries else {
      throw keyed.fault(
        key, "a series has no '\(key)'. Write 'updates: {keep: …}' instead.")
    }
    guard updates?.node["keep"] == nil else {
      throw keyed.fault(key, "'\(key)' and 'keep' of 'updates' mean the same. Remove '\(key)'.")
    }
    return try kept(key, of: keyed)
  }

  private func kept(_ key: String, of keyed: KeyedNode) throws(PipelineError) -> KeptDeltas {
    guard keyed.node[key] != nil else { return .archive }
    if let count = keyed.integer(key) { return .count(count) }
    let text = keyed.text(key) ?? ""
    guard let bytes = TileBudget.bytes(of: text) else {
      throw keyed.fault(
        key, "'\(key)' is a number of deltas or a size such as 50MB, not '\(text)'.")
    }
    return .bytes(bytes)
  }
}
