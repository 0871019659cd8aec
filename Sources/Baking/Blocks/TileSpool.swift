import Columns
import Features
import Files
import MBTiles
import Scenes
import SystemPackage

/// The painted images of an archive whose rows are not yet known, in a temporary file without a name.
final class TileSpool {
  private let file: FileDescriptor

  /// The number of bytes written so far.
  private var end = 0

  private var scenes: SceneTable

  /// The place of each scene's image.
  private var starts: Column<Int>
  private var sizes: Column<Int>
  private var digests: Column<MD5Digest>
  private var checksums: Column<UInt64>
  private var isPainted: Column<Bool>

  /// - Parameters:
  ///   - folder: the folder of the file.
  ///   - scratch: decides where the columns lie; `nil` for memory.
  /// - Throws: `Errno`.
  init(in folder: FilePath, _ scratch: Scratch?) throws {
    file = try UnnamedFile.open(in: folder, for: "tiles")
    scenes = SceneTable(in: scratch)
    starts = Column(in: scratch)
    sizes = Column(in: scratch)
    digests = Column(in: scratch)
    checksums = Column(in: scratch)
    isPainted = Column(in: scratch)
  }

  deinit { try? file.close() }

  /// Adds the images of a block, as far as they are new.
  func append(_ block: PaintedBlock) throws {
    var start = end
    var isNew = false
    for image in block.images {
      defer { start += image.size }
      guard scenes.insert(image.scene).isNew else { continue }
      isNew = true
      starts.append(start)
      sizes.append(image.size)
      digests.append(image.digest)
      checksums.append(image.checksum)
      isPainted.append(image.isPainted)
    }
    guard isNew else { return }
    try file.writeAll(block.bytes)
    end += block.bytes.count
  }

  /// The number of different images, and their mean size in bytes.
  ///
  /// - Complexity: O(images).
  var distinct: (count: Int, bytes: Double) {
    var seen: Set<MD5Digest> = []
    var bytes = 0
    for (digest, size) in zip(digests, sizes) where seen.insert(digest).inserted { bytes += size }
    return (seen.count, Double(bytes) / Double(max(seen.count, 1)))
  }

  /// Calls `body` with the scene, the digest and the bytes of each image that was painted.
  func forEachPainted(
    _ body: (StableHash, MD5Digest, ArraySlice<UInt8>) -> Void
  ) throws {
    var bytes: [UInt8] = []
    for (number, scene) in scenes.hashes.enumerated() where isPainted[number] {
      bytes.removeAll(keepingCapacity: true)
      try append(number, to: &bytes)
      body(scene, digests[number], bytes[...])
    }
  }

  /// Returns the images that a batch of rows shows for the first time.
  func images(of batch: TileRows.Batch) throws -> PaintedBatch {
    let numbers = try batch.fresh.indices.map { index in
      guard let number = scenes.number(of: batch.hash(index)) else { throw Errno.invalidArgument }
      return number
    }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    bytes.reserveCapacity(numbers.reduce(0) { $0 + sizes[$1] })
    for number in numbers {
      try append(number, to: &bytes)
      ends.append(bytes.count)
    }
    var painted = PaintedBatch(
      of: batch, bytes: bytes, ends: ends, digests: numbers.map { digests[$0] },
      checksums: numbers.map { checksums[$0] })
    painted.isPainted = numbers.map { isPainted[$0] }
    return painted
  }

  private func append(_ number: Int, to bytes: inout [UInt8]) throws {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: sizes[number]))
    try bytes.withUnsafeMutableBytes { bytes in
      var read = 0
      while read < sizes[number] {
        let count = try file.read(
          fromAbsoluteOffset: Int64(starts[number] + read),
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[(start + read)...]))
        guard count > 0 else { throw Errno.ioError }
        read += count
      }
    }
  }
}
