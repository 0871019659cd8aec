import Features
import MBTiles
import Scenes

/// The images painted by runs that ended before they could publish them.
///
/// They are kept in the cache in parts, each of which is self-contained; the run that publishes the
/// archive removes them.
struct PaintedTiles: Sendable {
  /// The number of image bytes after which a part is closed.
  private static let partSize = 32 << 20

  /// A part of the images.
  private struct Part: Sendable {
    let scenes: SceneTable
    let digests: Column<MD5Digest>
    /// The end of each image in ``bytes``.
    let ends: Column<Int>
    let bytes: Column<UInt8>
  }

  private let name: String
  private var parts: [Part] = []

  /// The number of parts that earlier runs left.
  private var partCount = 0

  /// - Parameters:
  ///   - archive: the name of the archive's file; other archives of the folder have other images.
  init(archive: String, _ paint: PaintKey) {
    name = "\(archive) \(paint.text)"
  }

  /// Reads the images that earlier runs left.
  mutating func load(from cache: ArtifactCache) {
    while let part = cache.value(key(parts.count), Self.part) { parts.append(part) }
    partCount = parts.count
  }

  /// Whether earlier runs left no images.
  var isEmpty: Bool { parts.isEmpty }

  /// The same parts without their images; images can still be added and all of them removed.
  var withoutImages: PaintedTiles {
    var painted = self
    painted.parts = []
    return painted
  }

  /// Appends the image of a scene to a buffer and returns its MD5; `nil` where it is missing.
  func append(_ scene: StableHash, to bytes: inout [UInt8]) -> MD5Digest? {
    for part in parts {
      guard let number = part.scenes.number(of: scene) else { continue }
      let start = number == 0 ? 0 : part.ends[number - 1]
      bytes.append(contentsOf: part.bytes[start..<part.ends[number]])
      return part.digests[number]
    }
    return nil
  }

  /// Stores the images that a run painted, in addition to those already kept.
  ///
  /// - Parameter append: appends the image of a scene, by its number in the record; returns
  ///   `false`, with nothing appended, where it cannot be read.
  /// - Complexity: O(bytes painted).
  func keep(
    _ record: SceneRecord, in cache: ArtifactCache,
    append: (_ number: Int, _ bytes: inout Column<UInt8>) -> Bool
  ) {
    var next = partCount
    var part = PartInTheMaking()
    for number in record.scenes.indices where record.isPainted[number] {
      guard append(number, &part.bytes) else { continue }
      part.scenes.append(record.scenes[number])
      part.digests.append(record.digests[number])
      part.ends.append(part.bytes.count)
      guard part.bytes.count >= Self.partSize else { continue }
      cache.store(key(next), part.artifact)
      next += 1
      part = PartInTheMaking()
    }
    if !part.scenes.isEmpty { cache.store(key(next), part.artifact) }
  }

  /// Removes the images that earlier runs left, since they are published.
  func remove(from cache: ArtifactCache) {
    for part in 0..<partCount { cache.folder.remove(key(part).fileName) }
  }

  private func key(_ part: Int) -> ArtifactKey {
    ArtifactKey(kind: .painted, [name, "\(part)"])
  }

  private struct PartInTheMaking {
    var scenes: Column<StableHash> = []
    var digests: Column<MD5Digest> = []
    var ends: Column<Int> = []
    var bytes: Column<UInt8> = []

    var artifact: ArtifactWriter {
      var writer = ArtifactWriter()
      writer.append(scenes)
      writer.append(digests)
      writer.append(ends)
      writer.append(bytes)
      return writer
    }
  }

  private static func part(_ reader: inout ArtifactReader) throws(ArtifactDamage) -> Part {
    let scenes = try reader.column(of: StableHash.self)
    let digests = try reader.column(of: MD5Digest.self)
    let ends = try reader.column(of: Int.self)
    let bytes = try reader.column(of: UInt8.self)
    guard digests.count == scenes.count, ends.count == scenes.count,
      zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 }), ends.first ?? 0 >= 0,
      ends.last ?? 0 == bytes.count
    else { throw ArtifactDamage("its images are not where they should be") }
    return Part(scenes: SceneTable(scenes), digests: digests, ends: ends, bytes: bytes)
  }
}
