import Features
import MBTiles
import Scenes

/// The images painted by runs that ended before they could publish them.
///
/// They are kept in the cache in parts, each of which is self-contained; the run that publishes the
/// archive removes them.
struct KeptPictures: Sendable {
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

  /// Whether a scene has an image.
  func contains(_ scene: StableHash) -> Bool {
    parts.contains { $0.scenes.number(of: scene) != nil }
  }

  /// Whether earlier runs left no images.
  var isEmpty: Bool { parts.isEmpty }

  /// The same parts without their images; images can still be added and all of them removed.
  var withoutImages: KeptPictures {
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
    var keeping = Keeping(self, in: cache)
    for number in record.scenes.indices where record.isPainted[number] {
      keeping.append(record.scenes[number], record.digests[number]) { append(number, &$0) }
    }
    keeping.end()
  }

  /// A writer of images that a run paints, in addition to those already kept.
  struct Keeping {
    private let painted: KeptPictures
    private let cache: ArtifactCache
    private var next: Int
    private var part = PartInTheMaking()

    /// Whether the cache took all images so far.
    private(set) var isWhole = true

    init(_ painted: KeptPictures, in cache: ArtifactCache) {
      self.painted = painted
      self.cache = cache
      next = painted.partCount
    }

    /// Adds the image of a scene.
    ///
    /// - Parameter append: appends its bytes; returns `false`, with nothing appended, where they
    ///   cannot be read.
    mutating func append(
      _ scene: StableHash, _ digest: MD5Digest, _ append: (inout Column<UInt8>) -> Bool
    ) {
      guard append(&part.bytes) else { return }
      part.scenes.append(scene)
      part.digests.append(digest)
      part.ends.append(part.bytes.count)
      if part.bytes.count >= KeptPictures.partSize { end() }
    }

    /// Stores what was added so far.
    mutating func end() {
      guard !part.scenes.isEmpty else { return }
      // This run may have stored others after it read those of earlier runs.
      while cache.contains(painted.key(next)) { next += 1 }
      cache.store(painted.key(next), part.artifact)
      isWhole = isWhole && cache.contains(painted.key(next))
      next += 1
      part = PartInTheMaking()
    }
  }

  /// Removes the images that earlier runs left, since they are published.
  func remove(from cache: ArtifactCache) {
    var part = 0
    while part < partCount || cache.contains(key(part)) {
      cache.folder.remove(key(part).fileName)
      part += 1
    }
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
