import Foundation

/// The list `NAME.packs.json` of a publisher: an archive divided into packs, one for each region and
/// one that all need.
///
/// docs/packs.md describes it. ``UpdateTrust/acceptPacks(_:of:)`` reads one.
public struct PackList: Hashable, Sendable {
  /// The number of the list, which grows with each publication.
  public let sequence: Int

  /// The name of the file of the archive that is divided.
  public let archive: String

  /// The packs of the regions.
  public let packs: [Pack]

  /// The pack that all need; `nil` without one.
  public let shared: Pack?

  /// The instant from which the list is refused, as of ``UpdateList``.
  public let expires: Int?

  /// The keys that sign from now on; `nil` if they stay.
  let keys: [UpdateKey]?

  /// A pack.
  public struct Pack: Hashable, Sendable {
    /// The archive of the pack.
    public let archive: UpdateList.Archive
    /// The region.
    public let name: String
    /// The box around the region; west is greater than east where it crosses the antimeridian.
    public let box: MapBox
    /// The zooms of its tiles.
    public let zooms: ClosedRange<Int>

    /// The name of the file.
    public var file: String { archive.file.name }
    /// The size of the file.
    public var bytes: Int { archive.file.bytes }
  }

  /// All packs, the one that all need last.
  public var all: [Pack] { packs + [shared].compactMap(\.self) }

  /// The name of the archive: `city` for `city.mbtiles`, whose list is `city.packs.json`.
  public var name: String { UpdateList.stem(of: archive) }

  /// The ending of the name of a list.
  static let suffix = ".packs.json"
}

extension PackList: SignedList {
  private static let packLimit = 100_000

  init(text: String) throws(ClientError) {
    let document: Document = try UpdateList.document(of: text)
    guard (0...UpdateList.sizeLimit).contains(document.sequence) else {
      throw ClientError.invalidList(reason: "its sequence is \(document.sequence)")
    }
    guard document.packs.count <= Self.packLimit else {
      throw ClientError.invalidList(reason: "it has \(document.packs.count) packs")
    }
    var packs: [Pack] = []
    for pack in document.packs { packs.append(try Self.pack(pack)) }
    sequence = document.sequence
    archive = document.archive.file
    self.packs = packs
    shared = try document.shared.map(Self.pack)
    expires = try UpdateList.end(document.expires)
    keys = try document.keys.map(UpdateList.keys)
    let files = all.map(\.file)
    guard Set(files).count == files.count else {
      throw ClientError.invalidList(reason: "it names a pack twice")
    }
    // The files beside the archives have other endings.
    for file in files + all.map(\.archive.source.name) + [archive]
    where !UpdateList.isPlain(file) || UpdateList.stem(of: file) == file {
      throw ClientError.invalidFileName(file)
    }
  }

  private static func pack(_ pack: Document.Pack) throws(ClientError) -> Pack {
    let archive = try UpdateList.archive(pack.archive)
    guard let box = MapBox(pack.bounds), pack.bounds.allSatisfy({ abs($0) <= 360 }),
      (0...30).contains(pack.minzoom), (pack.minzoom...30).contains(pack.maxzoom)
    else {
      throw ClientError.invalidList(reason: "'\(archive.file.name)' has impossible bounds or zooms")
    }
    return Pack(
      archive: archive,
      name: pack.name, box: box, zooms: pack.minzoom...pack.maxzoom)
  }

  /// A list as it is written.
  private struct Document: Decodable {
    struct Archive: Decodable {
      let file: String
    }

    struct Pack: Decodable {
      let archive: UpdateList.ArchiveMembers
      let name: String
      let bounds: [Double]
      let minzoom: Int
      let maxzoom: Int

      private enum CodingKeys: String, CodingKey { case name, bounds, minzoom, maxzoom }

      init(from decoder: any Decoder) throws {
        archive = try UpdateList.ArchiveMembers(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        bounds = try members.decode([Double].self, forKey: .bounds)
        minzoom = try members.decode(Int.self, forKey: .minzoom)
        maxzoom = try members.decode(Int.self, forKey: .maxzoom)
      }
    }

    let sequence: Int
    let archive: Archive
    let packs: [Pack]
    let shared: Pack?
    let expires: Int?
    let keys: [UpdateList.Key]?
  }
}
