package import Features
package import Hashing
import Ingest
import JSON
package import MBTiles
package import OrderedCollections
import Reports
package import SystemPackage
package import Tiling

/// The list of an archive's packs, in which a client finds those to download: the content of the file
/// `NAME.packs.json` (``UpdateFile``).
package struct PackList: Hashable, Sendable {
  /// A pack.
  package struct Entry: Hashable, Sendable {
    /// The name of the file, in the list's own folder.
    package var file: String
    /// The size of the file in bytes.
    package var bytes: Int
    /// SHA-256 of the file, lower-case hexadecimal.
    package var sha256: String
    /// The digests of its tiles and of its hit test data.
    package var state: ArchiveState
    /// The second name of the file, as of ``UpdateList/Archive``; `nil` where it has none.
    package var download: String?
    /// The name of the region.
    package var name: String
    /// The box of the region; west > east crosses the antimeridian. For the shared pack the box of
    /// the archive.
    package var bounds: GeoBounds
    package var zooms: ClosedRange<Int>
    /// The number of tiles.
    package var tiles: Int
    /// A hash of all inputs of the pack except its tiles.
    package var inputs: String

    package init(
      file: String, bytes: Int, sha256: String, state: ArchiveState, name: String,
      bounds: GeoBounds, zooms: ClosedRange<Int>, tiles: Int, inputs: String
    ) {
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.state = state
      self.name = name
      self.bounds = bounds.rounded
      self.zooms = zooms
      self.tiles = tiles
      self.inputs = inputs
    }
  }

  package var sequence = 0

  /// The archive's file name.
  package var archive: String
  /// The digests of the archive that is divided.
  package var state: ArchiveState
  /// A hash of all inputs of the packs except the archive.
  package var inputs: String
  /// The shared pack; `nil` if the pipeline has none, or the pack has no tiles.
  package var shared: Entry?
  /// The packs of the regions that have tiles, in the order of the file of regions.
  package var packs: [Entry]
  /// The number of tiles in no pack, which no region touches.
  package var outside: Int

  package var expires: Int?

  package var keys: [Ed25519.PublicKey] = []

  package var minimumClient = 1

  package init(
    archive: String, state: ArchiveState, inputs: String, shared: Entry?, packs: [Entry],
    outside: Int
  ) {
    self.archive = archive
    self.state = state
    self.inputs = inputs
    self.shared = shared
    self.packs = packs
    self.outside = outside
  }

  /// Adds the second names that the packs have beside their own lists of updates.
  package mutating func addDownloads() {
    func named(_ entry: Entry) -> Entry {
      var entry = entry
      entry.download = DeltaName.download(ofArchive: entry.file, sha256: entry.sha256)
      return entry
    }
    shared = shared.map(named)
    packs = packs.map(named)
  }

  /// All packs, the shared one first.
  package var all: [Entry] { (shared.map { [$0] } ?? []) + packs }

  /// Reads the list that an earlier run wrote beside an archive; `nil` where it is missing or invalid.
  package init?(besides archive: FilePath) {
    guard let file = UpdateFile(contentsOf: UpdatePaths(packsOf: archive).current) else {
      return nil
    }
    self.init(file.list)
  }
}

extension PackList: UpdateContent {
  /// Packs have lists of their own for deltas.
  package var deltaCount: Int { 0 }

  package var text: String {
    var members: [String: ReportJSON] = [
      "archive": .sorted(Self.members(state).merging(["file": .string(archive)]) { $1 }),
      "inputs": .string(inputs), "packs": .array(packs.map(\.json)), "outside": .integer(outside),
    ]
    members["shared"] = shared?.json
    return UpdateText.line(self, members)
  }

  package init?(members: OrderedDictionary<String, PropertyValue>) {
    guard case .object(let archive)? = members["archive"],
      let file = UpdateText.text(archive["file"]), let state = Self.state(archive),
      let inputs = UpdateText.text(members["inputs"]),
      let packs = UpdateText.array(members["packs"], Entry.init),
      let outside = UpdateText.count(members["outside"])
    else { return nil }
    let shared = members["shared"].flatMap(Entry.init)
    guard (shared == nil) == (members["shared"] == nil) else { return nil }
    self.init(
      archive: file, state: state, inputs: inputs, shared: shared, packs: packs, outside: outside)
  }

  fileprivate static func members(_ state: ArchiveState) -> [String: ReportJSON] {
    var members: [String: ReportJSON] = ["digest": .string(state.tiles)]
    members["taps"] = state.taps.map { .string($0) }
    return members
  }

  fileprivate static func state(_ members: OrderedDictionary<String, PropertyValue>)
    -> ArchiveState?
  {
    UpdateText.text(members["digest"]).map {
      ArchiveState(tiles: $0, taps: UpdateText.text(members["taps"]))
    }
  }
}

extension PackList.Entry {
  fileprivate var json: ReportJSON {
    let edges = [bounds.west, bounds.south, bounds.east, bounds.north]
    var members = PackList.members(state).merging([
      "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256),
      "name": .string(name), "bounds": .array(edges.map(ReportJSON.number)),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
      "tiles": .integer(tiles), "inputs": .string(inputs),
    ]) { $1 }
    members["download"] = download.map { .string($0) }
    return .sorted(members)
  }

  fileprivate init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = UpdateText.text(members["file"]),
      let bytes = UpdateText.count(members["bytes"]),
      let sha256 = UpdateText.text(members["sha256"]),
      let state = PackList.state(members), let name = UpdateText.text(members["name"]),
      case .array(let edges)? = members["bounds"],
      let first = UpdateText.count(members["minzoom"]),
      let last = UpdateText.count(members["maxzoom"]), first <= last,
      let tiles = UpdateText.count(members["tiles"]),
      let inputs = UpdateText.text(members["inputs"])
    else { return nil }
    let degrees = edges.compactMap { edge -> Double? in
      if case .number(let degrees) = edge { degrees } else { nil }
    }
    guard degrees.count == 4, !file.contains("/") else { return nil }
    self.init(
      file: file, bytes: bytes, sha256: sha256, state: state, name: name,
      bounds: GeoBounds(
        west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3]),
      zooms: first...last, tiles: tiles, inputs: inputs)
    download = UpdateText.text(members["download"])
  }
}

extension GeoBounds {
  /// The box with edges in whole 10⁻⁷ degrees, as short texts.
  fileprivate var rounded: GeoBounds {
    func degrees(_ edge: Double) -> Double { (edge * 1e7).rounded() / 1e7 }
    return GeoBounds(
      west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north))
  }
}
