import Definition
import Features
import Ingest
package import JSON
package import MBTiles
import OrderedCollections
import Reports
package import Tiling

/// The file beside an archive that lists its packs, `NAME.packs.json`, in which a client finds the
/// packs to download.
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
    /// The name of the region.
    package var name: String
    /// The box of the region; west > east crosses the antimeridian. Of the shared pack that of the
    /// archive.
    package var bounds: GeoBounds
    package var zooms: ClosedRange<Int>
    /// The number of tiles.
    package var tiles: Int
    /// A hash of everything but the tiles that determines the pack.
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

  /// The archive's file name.
  package var archive: String
  /// The digests of the archive that is divided.
  package var state: ArchiveState
  /// A hash of everything but the archive that determines the packs.
  package var inputs: String
  /// The pack of what all need; `nil` where the pipeline has none, or it has no tiles.
  package var shared: Entry?
  /// The packs of the regions that have tiles, in the order of the file of regions.
  package var packs: [Entry]
  /// The number of tiles in no pack, which no region touches.
  package var outside: Int

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

  /// All packs, the shared one first.
  package var all: [Entry] { (shared.map { [$0] } ?? []) + packs }

  /// The maximum size in bytes of a list that is read.
  private static let byteLimit = 64 << 20

  /// Returns the path of the list beside an archive.
  package static func path(besideArchive archive: String) -> String {
    ReportFile.packListPath(besideArchive: archive)
  }
}

extension PackList {
  package var json: ReportJSON {
    .object(
      [
        .init("format", .integer(1)),
        .init("archive", .object([.init("file", .string(archive))] + Self.members(state))),
        .init("inputs", .string(inputs)),
      ] + (shared.map { [.init("shared", $0.json)] } ?? [])
        + [.init("packs", .array(packs.map(\.json))), .init("outside", .integer(outside))])
  }

  fileprivate static func members(_ state: ArchiveState) -> [ReportJSON.Member] {
    [.init("digest", .string(state.tiles))]
      + (state.taps.map { [.init("taps", .string($0))] } ?? [])
  }

  /// Reads a list that an earlier run wrote; `nil` where it is missing or invalid.
  package init?(contentsOf path: String) {
    guard let bytes = try? DocumentFile.bytes(of: path, limit: Self.byteLimit),
      case .object(let members)? = try? JSONValueParser.parse(bytes),
      case .object(let archive)? = members["archive"], let file = Self.text(archive["file"]),
      let state = Self.state(archive), let inputs = Self.text(members["inputs"]),
      case .array(let items)? = members["packs"], let outside = Self.count(members["outside"])
    else { return nil }
    let packs = items.compactMap(Entry.init)
    let shared = members["shared"].flatMap(Entry.init)
    guard packs.count == items.count, (shared == nil) == (members["shared"] == nil) else {
      return nil
    }
    self.init(
      archive: file, state: state, inputs: inputs, shared: shared, packs: packs,
      outside: outside)
  }

  fileprivate static func state(_ members: OrderedDictionary<String, PropertyValue>)
    -> ArchiveState?
  {
    text(members["digest"]).map { ArchiveState(tiles: $0, taps: text(members["taps"])) }
  }

  fileprivate static func text(_ value: PropertyValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  fileprivate static func count(_ value: PropertyValue?) -> Int? {
    guard case .number(let number)? = value, number >= 0, number < 1e15 else { return nil }
    return Int(number)
  }
}

extension PackList.Entry {
  fileprivate var json: ReportJSON {
    .object(
      [
        .init("file", .string(file)), .init("bytes", .integer(bytes)),
        .init("sha256", .string(sha256)),
      ] + PackList.members(state) + [
        .init("name", .string(name)),
        .init(
          "bounds",
          .array([bounds.west, bounds.south, bounds.east, bounds.north].map(ReportJSON.number))),
        .init("minzoom", .integer(zooms.lowerBound)), .init("maxzoom", .integer(zooms.upperBound)),
        .init("tiles", .integer(tiles)), .init("inputs", .string(inputs)),
      ])
  }

  fileprivate init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = PackList.text(members["file"]),
      let bytes = PackList.count(members["bytes"]), let sha256 = PackList.text(members["sha256"]),
      let state = PackList.state(members), let name = PackList.text(members["name"]),
      case .array(let edges)? = members["bounds"],
      let first = PackList.count(members["minzoom"]),
      let last = PackList.count(members["maxzoom"]), first <= last,
      let tiles = PackList.count(members["tiles"]), let inputs = PackList.text(members["inputs"])
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
