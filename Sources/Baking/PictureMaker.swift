import Features
package import MBTiles
import Painting
import Reuse
import Scenes
import Tiling

/// The pictures of some scenes, one after the other.
package struct Pictures: Sendable {
  package var bytes: [UInt8] = []

  /// The end of each picture in ``bytes``; the other columns have the same length.
  package var ends: [Int] = []
  var scenes: [StableHash] = []
  package var digests: [MD5Digest] = []
  package var checksums: [UInt64] = []

  /// Whether each picture was painted rather than reused.
  var isPainted: [Bool] = []

  /// Creates an empty list.
  init() {}

  /// Creates the list of pictures that another process painted.
  ///
  /// - Parameter ends: the end of each picture in `bytes`; `digests` and `checksums` have the same length.
  package init(bytes: [UInt8], ends: [Int], digests: [MD5Digest], checksums: [UInt64]) {
    self.bytes = bytes
    self.ends = ends
    self.digests = digests
    self.checksums = checksums
    isPainted = ends.map { _ in true }
  }

  var count: Int { ends.count }

  /// Ends a picture whose bytes have been appended.
  fileprivate mutating func end(
    _ scene: StableHash, isPainted: Bool, md5: MD5Digest, checksum: UInt64
  ) {
    scenes.append(scene)
    ends.append(bytes.count)
    self.isPainted.append(isPainted)
    digests.append(md5)
    checksums.append(checksum)
  }

  /// Returns the bytes of the n-th picture.
  subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }
}

/// A maker of pictures for one worker: takes those that are known, and paints the others.
struct PictureMaker {
  private let painter: TilePainter
  private let reader: TileReuse.Reader?

  init(_ painters: PainterFactory, _ reuse: TileReuse = .none) throws {
    painter = try painters.painter()
    reader = reuse.reader()
  }

  /// Appends the picture of a tile, by its index among scenes.
  ///
  /// - Returns: whether it was painted.
  @discardableResult
  func append(_ tile: Int, of scenes: ZoomScenes, to pictures: inout Pictures) throws -> Bool {
    let scene = scenes.hashes[tile]
    if take(scene, to: &pictures) { return false }
    let start = pictures.bytes.count
    try painter.paint(tile, of: scenes, into: &pictures.bytes)
    pictures.end(
      scene, isPainted: true,
      md5: pictures.bytes.withUnsafeBytes {
        MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
      }, checksum: ImageChecksum.of(pictures.bytes[start...]))
    return true
  }

  /// Appends the picture of a scene if it is known.
  func take(_ scene: StableHash, to pictures: inout Pictures) -> Bool {
    guard let known = reader?.append(scene, to: &pictures.bytes) else { return false }
    pictures.end(scene, isPainted: false, md5: known.md5, checksum: known.checksum)
    return true
  }
}

extension ZoomView {
  /// Returns the picture of a tile; `nil` if nothing is drawn there.
  func picture(_ tile: TileCoord) throws -> [UInt8]? {
    guard let index = scenes.index(of: tile) else { return nil }
    var bytes: [UInt8] = []
    try painters.painter().paint(index, of: scenes, into: &bytes)
    return bytes
  }
}
