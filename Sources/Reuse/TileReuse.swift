package import Features
package import MBTiles
import Scenes
package import SystemPackage

/// The images that need not be painted again: those of the last archive, and those painted by a run
/// that ended early.
///
/// Both are found by their scenes. Any state of the last archive is acceptable: an image that is
/// missing, or has another digest than when it was written, is painted.
package struct TileReuse: Sendable {
  /// The archive to be replaced, or the file with its content.
  package let archive: FilePath

  /// The owner of the archive's file, if that is temporary.
  private let owner: (any Sendable)?

  /// The scenes and images of the archive; `nil` where they are not known.
  package let state: TileState?
  private let painted: KeptPictures

  /// The temporary archive with the content of the last one, if the last one is a PMTiles file.
  package var unpacked: FilePath? { owner == nil ? nil : archive }

  /// An empty set of reusable images for tiles that do not replace an archive.
  package static let none = TileReuse(nothingOf: "", PaintKey(text: ""))

  /// The images of earlier runs alone, without those of the archive.
  package var kept: TileReuse { TileReuse(archive, owner, nil, painted) }

  private init(
    _ archive: FilePath, _ owner: (any Sendable)?, _ state: TileState?, _ painted: KeptPictures
  ) {
    self.archive = archive
    self.owner = owner
    self.state = state
    self.painted = painted
  }

  /// Creates an empty set of reusable images: every scene is painted.
  package init(nothingOf archive: FilePath, _ paint: PaintKey) {
    self.init(archive, nil, nil, KeptPictures(archive: Self.name(of: archive), paint))
  }

  /// Examines the existing archive and the images that earlier runs left.
  ///
  /// - Parameters:
  ///   - content: the file with the archive's tiles, if it is another one.
  ///   - owner: an object that keeps that file.
  /// - Complexity: O(tiles of the archive).
  package init(
    of archive: FilePath, content: FilePath? = nil, keptBy owner: (any Sendable)? = nil,
    _ paint: PaintKey, _ cache: ArtifactCache
  ) {
    self.archive = content ?? archive
    self.owner = owner
    var painted = KeptPictures(archive: Self.name(of: archive), paint)
    painted.load(from: cache)
    self.painted = painted
    state = Self.key(of: self.archive, paint).flatMap { key in
      cache.value(key) { reader throws(ArtifactDamage) in try TileState(&reader) }
    }
  }

  /// Returns the name of an archive, with its folder: frames of two series may have the same name.
  private static func name(of archive: FilePath) -> String {
    archive.components.suffix(2).map(\.string).joined(separator: "/")
  }

  /// Returns the name of an archive's state; `nil` where there is no archive made by this program.
  private static func key(of archive: FilePath, _ paint: PaintKey) -> ArtifactKey? {
    guard let reader = try? ArchiveReader(archive),
      let digest = reader.metadata[ArchiveMetadata.digestKey]
    else { return nil }
    return TileState.key(digest: digest, reader.layout.rawValue, paint)
  }

  /// Whether an image is known under the scene's hash; its bytes are checked when they are read.
  ///
  /// - Complexity: O(tiles) at the first call.
  package func knows(_ scene: StableHash) -> Bool {
    painted.contains(scene) || state?.sceneTable().number(of: scene) != nil
  }

  /// Returns a reader for one worker; `nil` where there is nothing to reuse.
  package func reader() -> Reader? {
    state == nil && painted.isEmpty ? nil : Reader(self)
  }

  /// A lookup of the bytes of scenes; one per worker.
  package final class Reader {
    private let reuse: TileReuse
    private let images: StoredImages?
    private let scenes: SceneTable?

    fileprivate init(_ reuse: TileReuse) {
      self.reuse = reuse
      images = reuse.state.flatMap { try? StoredImages(reuse.archive, layout: $0.layout) }
      scenes = reuse.state?.sceneTable()
    }

    /// Appends the image of a scene to a buffer and returns its MD5 and its checksum; `nil`, with
    /// nothing appended, where it is missing or its bytes have changed.
    ///
    /// - Complexity: O(bytes).
    package func append(_ scene: StableHash, to bytes: inout [UInt8]) -> (
      md5: MD5Digest, checksum: UInt64
    )? {
      let start = bytes.count
      if let images, let scenes, let contents = reuse.state?.contents,
        let tile = scenes.number(of: scene)
      {
        let name = contents.images[tile]
        if images.append(Int64(contents.imageRows[tile]), named: name, to: &bytes) {
          if Self.digest(bytes, from: start) == name {
            return (name, ImageChecksum.of(bytes[start...]))
          }
          bytes.removeLast(bytes.count - start)
        }
      }
      if let known = reuse.painted.append(scene, to: &bytes) {
        if Self.digest(bytes, from: start) == known {
          return (known, ImageChecksum.of(bytes[start...]))
        }
        bytes.removeLast(bytes.count - start)
      }
      return nil
    }

    private static func digest(_ bytes: [UInt8], from start: Int) -> MD5Digest {
      bytes.withUnsafeBytes { MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
  }

  // MARK: Before the tile stage

  /// A writer of the images that a run paints before it makes its archive.
  package struct Keeping {
    private var keeping: KeptPictures.Keeping

    /// - Parameter reuse: the images that are known.
    package init(_ reuse: TileReuse, in cache: ArtifactCache) {
      keeping = KeptPictures.Keeping(reuse.painted, in: cache)
    }

    /// Whether the cache took all images so far.
    package var isWhole: Bool { keeping.isWhole }

    /// Adds the image of a scene.
    package mutating func append(
      _ scene: StableHash, _ digest: MD5Digest, _ image: ArraySlice<UInt8>
    ) {
      keeping.append(scene, digest) { bytes in
        bytes.append(contentsOf: image)
        return true
      }
    }

    /// Stores what was added so far.
    ///
    /// - Returns: whether the cache took all images.
    @discardableResult
    package mutating func end() -> Bool {
      keeping.end()
      return keeping.isWhole
    }
  }

  // MARK: After the tile stage

  /// Keeps the images painted by a run that ends before its archive is complete, as far as the
  /// writer has them.
  package func keep(_ record: SceneRecord, of writer: ArchiveWriter, in cache: ArtifactCache) {
    painted.keep(record, in: cache) { number, bytes in
      writer.withBytes(of: record.images[number]) { image in
        bytes.append(contentsOf: image)
        return !image.isEmpty
      }
    }
  }

  /// Returns the images painted by a run whose archive is complete, at `path`.
  package func unpublished(
    _ record: SceneRecord, at path: FilePath, layout: ArchiveLayout
  ) -> UnpublishedTiles {
    UnpublishedTiles(record, of: path, layout: layout, beside: painted)
  }
}
