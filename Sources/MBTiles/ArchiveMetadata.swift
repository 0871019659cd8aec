import Crypto
import Files
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

/// What an archive says about itself, in the form that its readers accept.
package struct ArchiveMetadata: Hashable, Sendable {
  /// What every key of our own begins with.
  package static let prefix = "quadrille:"

  /// The key under which the writer records ``TileHashes/digest``.
  package static let digestKey = prefix + "digest"

  /// The key of the conservation ledger, a JSON object.
  package static let ledgerKey = prefix + "ledger"

  /// The key of ``sealed()``.
  package static let sealKey = prefix + "seal"

  /// The key of the digest of what answers taps (``TapsDigest``); of compact taps over all rows of
  /// `taps` and `tap_entries` (``TapsHash``).
  package static let tapsKey = prefix + "taps"

  /// The most bytes that one value may have.
  static let valueLimit = 1 << 20

  private let before: [MetadataEntry]
  private var own: [MetadataEntry]

  /// Checks the values and fixes their form.
  ///
  /// - Parameters:
  ///   - name: The tileset's name for people.
  ///   - bounds: Degrees; must reach every tile (``Swift/Collection/bounds(reachedBy:)``). A box
  ///     over the antimeridian becomes −180…180, since readers know no other.
  ///   - center: Where a map first looks, inside the bounds.
  ///   - centerZoom: Its zoom, inside `zooms`.
  ///   - zooms: The zooms that have tiles.
  ///   - version: Of the tileset, `1.0.0` by habit.
  ///   - description: For people; may be empty.
  ///   - attribution: HTML; may be empty.
  ///   - scale: Pixels of a tile to those of its grid: 2 for @2x, else 1.
  ///   - template: How old clients of grids show an answer; may be empty.
  ///   - own: More entries, in the order in which they are written; their names begin with
  ///     ``prefix``.
  package init(
    name: String, bounds: GeoBounds, center: LngLat, centerZoom: Int, zooms: ClosedRange<Int>,
    version: String = "1.0.0", description: String = "", attribution: String = "", scale: Int = 1,
    template: String = "", own: [MetadataEntry] = []
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
      MetadataEntry("name", name), MetadataEntry("format", "png"),
      MetadataEntry("bounds", bounds.text),
      MetadataEntry("center", "\(BoundsText.point(center)),\(centerZoom)"),
      MetadataEntry("minzoom", "\(zooms.lowerBound)"),
      MetadataEntry("maxzoom", "\(zooms.upperBound)"), MetadataEntry("type", "overlay"),
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

  /// The same with a last row that tells whether the others are as they were written: what people
  /// read, such as the attribution, has no other check.
  package func sealed() -> ArchiveMetadata {
    var sealed = self
    sealed.own.append(MetadataEntry(Self.sealKey, Self.seal(of: before + own)))
    return sealed
  }

  /// SHA-256 over name and value of every row in their order, each with its length in bytes before
  /// it (`4:name5:hotel`), in lower-case hexadecimal digits. Left out are the fingerprints of the
  /// tiles, which are checked against them, and the seal.
  static func seal(of entries: [MetadataEntry]) -> String {
    var hash = SHA256()
    for entry in entries where !["agg_tiles_hash", digestKey, sealKey].contains(entry.name) {
      for text in [entry.name, entry.value] {
        hash.update(data: Array("\(text.utf8.count):\(text)".utf8))
      }
    }
    return Hexadecimal.text(hash.finalize())
  }

  /// Whether a text may stand in a value: no absolute path, nothing that is no text.
  package static func mayHold(_ text: String) -> Bool {
    MetadataRules.fault(of: MetadataEntry("", text)) == nil
  }

  /// All rows in the order in which they are written.
  func entries(hashes: TileHashes) -> [MetadataEntry] {
    before + [
      MetadataEntry("agg_tiles_hash", hashes.aggTilesHash),
      MetadataEntry(Self.digestKey, hashes.digest),
    ] + own
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
    ArchiveError(.badValue, "the archive's metadata cannot be written: \(message)")
  }
}
