import Columns
import Features
import Files
import MBTiles
import Reuse
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

  /// Adds the pictures of a block, as far as they are new.
  func append(_ pictures: Pictures) throws {
    var isNew = false
    for index in 0..<pictures.count where scenes.insert(pictures.scenes[index]).isNew {
      isNew = true
      let picture = pictures[index]
      starts.append(end + picture.startIndex)
      sizes.append(picture.count)
      digests.append(pictures.digests[index])
      checksums.append(pictures.checksums[index])
      isPainted.append(pictures.isPainted[index])
    }
    guard isNew else { return }
    try file.writeAll(pictures.bytes)
    end += pictures.bytes.count
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

  /// Returns the pictures that a batch of rows shows for the first time.
  func pictures(of batch: TileRows.Batch) throws -> PaintedBatch {
    let numbers = try batch.fresh.indices.map { index in
      guard let number = scenes.number(of: batch.hash(index)) else { throw Errno.invalidArgument }
      return number
    }
    var pictures = Pictures()
    pictures.bytes.reserveCapacity(numbers.reduce(0) { $0 + sizes[$1] })
    for number in numbers {
      try append(number, to: &pictures.bytes)
      pictures.ends.append(pictures.bytes.count)
    }
    pictures.digests = numbers.map { digests[$0] }
    pictures.checksums = numbers.map { checksums[$0] }
    pictures.isPainted = numbers.map { isPainted[$0] }
    return PaintedBatch(of: batch, pictures)
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

/// A feed of tiles that were painted block by block.
struct SpooledFeed: SceneFeed {
  let planned: PlannedTiles
  let spool: TileSpool
  let reuse: TileReuse
  let taps: TapPlan? = nil

  func forEachBatch(_ consume: (PaintedBatch) throws -> Void) throws {
    // The rows do not tell what their tiles show, and those of vector tiles show areas.
    var batches = TileRows(rows, in: 0..<rows.count, batchSize: TileRows.areaBatchSize)
    try forEachBatch({ batches.next() }, consume: consume)
  }

  func forEachBatch(
    _ nextBatch: () throws -> TileRows.Batch?, consume: (PaintedBatch) throws -> Void
  ) throws {
    while let batch = try nextBatch() { try consume(try spool.pictures(of: batch)) }
  }

  func writeTaps(to sink: any TapSink) -> TapState? { nil }
}
