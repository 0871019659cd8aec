import Files
import Hashing
package import Pictures
package import Tiling

/// One row of the table `metadata`.
package struct MetadataEntry: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The metadata of an archive, in the form that its readers accept.
package struct ArchiveMetadata: Hashable, Sendable {
  /// The prefix of all keys of this program.
  package static let prefix = "quadrille:"

  /// The key under which the writer records ``TileHashes/digest``.
  package static let digestKey = prefix + "digest"

  /// The key of the conservation ledger, a JSON object.
  package static let ledgerKey = prefix + "ledger"

  /// The key of the fingerprint: the hash of all inputs of the archive.
  package static let inputsKey = prefix + "inputs"

  /// The key of the seal that ``sealed()`` adds.
  package static let sealKey = prefix + "seal"

  /// The key of the digest of the taps (``TapsDigest``); for compact taps over all rows of `taps`
  /// and `tap_entries` (``TapsHash``).
  package static let tapsKey = prefix + "taps"

  /// Maximum number of bytes of one value.
  static let valueLimit = 1 << 20

  private let before: [MetadataEntry]
  private var own: [MetadataEntry]

  /// Validates the values and normalizes their form.
  ///
  /// - Parameters:
  ///   - name: The human-readable name of the tileset.
  ///   - bounds: Degrees; must overlap every tile (``Swift/Collection/bounds(reachedBy:)``). A box
  ///     over the antimeridian becomes −180…180, since readers do not support any other.
  ///   - center: The initial centre of a map, inside the bounds.
  ///   - centerZoom: The initial zoom, inside `zooms`.
  ///   - zooms: The zooms that have tiles.
  ///   - version: The version of the tileset, by convention `1.0.0`.
  ///   - description: A human-readable description; may be empty.
  ///   - attribution: HTML; may be empty.
  ///   - scale: The ratio of a tile's pixels to those of its grid: 2 for @2x, otherwise 1.
  ///   - template: The template by which old clients of UTFGrid format an answer; may be empty.
  ///   - format: The format of the tiles.
  ///   - own: Additional entries, in the order in which they are written; their names begin with
  ///     ``prefix``.
  package init(
    name: String, bounds: GeoBounds, center: LngLat, centerZoom: Int, zooms: ClosedRange<Int>,
    version: String = "1.0.0", description: String = "", attribution: String = "", scale: Int = 1,
    template: String = "", format: TileFormat = .png, own: [MetadataEntry] = []
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zooms.lowerBound), zooms.upperBound <= TileCoord.maxZoom
    else { throw Self.refusal("zooms \(zooms.lowerBound)…\(zooms.upperBound) are not in 0…22.") }
    guard zooms.contains(centerZoom) else {
      throw Self.refusal(
        "the centre's zoom \(centerZoom) is not in \(zooms.lowerBound)…\(zooms.upperBound).")
    }
    guard let bounds = BoundsText(bounds) else {
      throw Self.refusal("bounds \(bounds) are not west, south, east, north in degrees.")
    }
    guard bounds.contains(center) else {
      throw Self.refusal("the centre \(center) is outside the bounds \(bounds.text).")
    }
    guard (1...4).contains(scale) else { throw Self.refusal("scale \(scale) is not 1…4.") }
    guard !name.isEmpty, !version.isEmpty else {
      throw Self.refusal("name and version must not be empty.")
    }
    var before = [
      MetadataEntry("name", name), MetadataEntry("format", format.rawValue),
      MetadataEntry("bounds", bounds.text),
      MetadataEntry("center", "\(BoundsText.point(center)),\(centerZoom)"),
      MetadataEntry("minzoom", "\(zooms.lowerBound)"),
      MetadataEntry("maxzoom", "\(zooms.upperBound)"), MetadataEntry("type", format.tilesetType),
      MetadataEntry("version", version), MetadataEntry("description", description),
      MetadataEntry("attribution", attribution),
    ]
    if !template.isEmpty { before.append(MetadataEntry("template", template)) }
    if scale != 1 { before.append(MetadataEntry("scale", "\(scale)")) }
    try Self.check(own: own)
    for entry in before + own {
      if let fault = MetadataRules.fault(of: entry) { throw Self.refusal(fault) }
    }
    self.before = before
    self.own = own
  }

  /// Returns the metadata with a last row that verifies the others: human-readable values, such as
  /// the attribution, have no other check.
  package func sealed() -> ArchiveMetadata {
    var sealed = self
    sealed.own.append(MetadataEntry(Self.sealKey, Self.seal(of: before + own)))
    return sealed
  }

  /// Returns the SHA-256 over name and value of every row in their order, each preceded by its
  /// length in bytes (`4:name5:hotel`), in lower-case hexadecimal digits. The fingerprints of the
  /// tiles, which are checked against them, and the seal are left out.
  package static func seal(of entries: [MetadataEntry]) -> String {
    var hash = SHA256()
    for entry in entries where ![AggTilesHash.key, digestKey, sealKey].contains(entry.name) {
      for text in [entry.name, entry.value] {
        hash.update(data: Array("\(text.utf8.count):\(text)".utf8))
      }
    }
    return Hexadecimal.text(hash.finalize())
  }

  /// Whether a text may be part of a value: it contains neither an absolute path nor invalid
  /// characters.
  package static func mayHold(_ text: String) -> Bool { fault(of: text, as: "") == nil }

  /// Returns the reason why a text cannot be the value of a name, a sentence that begins with the
  /// name; `nil` if it can.
  package static func fault(of text: String, as name: String) -> String? {
    MetadataRules.fault(of: MetadataEntry(name, text))
  }

  /// Returns all rows in the order in which they are written.
  func entries(hashes: TileHashes) -> [MetadataEntry] {
    before + Self.rows(of: hashes) + own
  }

  /// Returns the rows of an archive's fingerprints.
  package static func rows(of hashes: TileHashes) -> [MetadataEntry] {
    var rows = hashes.aggTilesHash.map { [MetadataEntry(AggTilesHash.key, $0)] } ?? []
    rows.append(MetadataEntry(digestKey, hashes.digest))
    return rows
  }

  private static func check(own: [MetadataEntry]) throws(ArchiveError) {
    var names: Set<String> = [digestKey]
    for entry in own {
      guard entry.name.hasPrefix(prefix), entry.name != prefix else {
        throw refusal("the key '\(entry.name)' does not begin with '\(prefix)'.")
      }
      guard names.insert(entry.name).inserted else {
        throw refusal("the key '\(entry.name)' occurs twice.")
      }
    }
  }

  private static func refusal(_ message: String) -> ArchiveError {
    ArchiveError(.value(.invalidMetadata(fault: message)))
  }
}
