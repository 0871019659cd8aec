package import Definition
import Fetching
import Files
import MBTiles
import PMTiles
package import Runs
import SystemPackage
import Tilesets
package import Tiling

/// The parts of a PMTiles file on a server, as its bytes.
private final class RemoteRegion: PMTilesBytes {
  let path: FilePath
  private let parts: RemoteParts

  init(_ parts: RemoteParts, path: FilePath) {
    (self.parts, self.path) = (parts, path)
  }

  func bring(_ ranges: [Range<UInt64>]) throws {
    let missing = ranges.map(Self.offsets).filter { !parts.has($0) }
    if !missing.isEmpty { try parts.fetch(missing) }
  }

  func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
    guard let bytes = try parts.bytes(Self.offsets(range)) else {
      throw PMTilesFault("ends before byte \(range.upperBound), to which its header leads")
    }
    return bytes
  }

  /// Sections end below 2⁶³.
  private static func offsets(_ range: Range<UInt64>) -> Range<Int64> {
    Int64(range.lowerBound)..<Int64(range.upperBound)
  }
}

/// A PMTiles file on this machine, as its bytes.
final class LocalRegion: PMTilesBytes {
  private let file: HeldFile

  init(_ path: FilePath) throws(ArchiveError) { file = try HeldFile(archive: path) }

  var path: FilePath { file.path }

  func bring(_ ranges: [Range<UInt64>]) {}

  func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
    guard range.count <= PMTilesReader.directoryLimit else {
      throw PMTilesFault("has a section of \(range.count) bytes")
    }
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = try bytes.withUnsafeMutableBytes {
      try file.descriptor.read(fromAbsoluteOffset: Int64(range.lowerBound), into: $0)
    }
    guard count == bytes.count else {
      throw PMTilesFault("ends before byte \(range.upperBound), to which its header leads")
    }
    return bytes
  }
}

extension Fetcher {
  /// Returns a region of a PMTiles file on a server as a file of the cache.
  ///
  /// - Parameters:
  ///   - locked: returns the digests that a lock file allows for an address.
  ///   - note: receives the number of requests and of bytes, if any were made.
  /// - Throws: ``FetchError``, with the status 200 if the server serves no ranges; ``ArchiveError``.
  func region(
    _ selection: RegionExtract.Selection, of resource: RemoteResource,
    locked: (String) -> Set<String>, note: (Int, Int64) -> Void = { _, _ in }
  ) throws -> FetchedFile {
    try self.selection(
      selection.words, of: resource, byteCount: Int64(RegionExtract.headBytes),
      locked: locked("\(resource.uri)#\(selection.words)")
    ) { parts, path in
      _ = try RegionExtract.write(
        selection, of: RemoteRegion(parts, path: FilePath(resource.uri)), to: path)
      note(parts.requests, parts.bytes)
    }
  }
}

extension SourceDefinition {
  /// The part of a PMTiles file on a server that a map shows, with the tiles around it; `nil` where
  /// the whole file is needed, or another container.
  func region(of tiles: TilesDefinition) -> RegionExtract.Selection? {
    guard case .url(let address) = data,
      address.prefix(while: { $0 != "?" && $0 != "#" }).lowercased().hasSuffix(".pmtiles"),
      let box = tiles.bounds ?? vectorTiles?.bounds
    else { return nil }
    var deeper = 0
    if let raster = image?.tileset {
      // Tiles of fewer pixels than the map's are those of deeper zooms.
      while (raster.tileSize ?? 256) << deeper < tiles.tileSize { deeper += 1 }
    } else if vectorTiles == nil {
      return nil
    }
    let last = min(tiles.maxZoom + deeper, TileCoord.maxZoom)
    var selection = RegionExtract.Selection(
      bounds: box, zooms: 0...last, maxBytes: Int(clamping: remote.maximumBytes))
    (selection.margin, selection.narrowsBounds) = (1, false)
    return selection
  }
}

/// A region of a PMTiles file, which becomes a file of its own.
package struct BasemapExtract: Sendable {
  /// A path, or an http or https address.
  package var source: String

  /// The path of the new PMTiles file.
  package var output: String
  private let selection: RegionExtract.Selection

  /// - Parameter maxBytes: the maximum bytes of its tiles.
  package init(
    _ source: String, output: String, bounds: GeoBounds, zooms: ClosedRange<Int>, maxBytes: Int
  ) {
    (self.source, self.output) = (source, output)
    selection = RegionExtract.Selection(bounds: bounds, zooms: zooms, maxBytes: maxBytes)
  }

  /// Writes the file. Of one on a server the lock file beside it keeps what was read.
  ///
  /// - Returns: a sentence on what was read and written.
  /// - Throws: ``PipelineError``.
  package func run(
    _ options: BuildOptions, _ cancellation: Cancellation, _ progress: @escaping ProgressHandler
  ) throws(PipelineError) -> String {
    let isAddress = DataLocation.isAddress(source)
    let clock = StageClock(progress: progress, cancellation: cancellation)
    return try clock.stage(isAddress ? "fetch" : "copy", unit: .bytes) { _ in
      let target = FilePath(output)
      let temporary = DurableFile.temporary(for: target)
      defer { try? DurableFile.remove(temporary) }
      var read = ""
      if isAddress {
        let file = try fetched(options, cancellation, &read, progress)
        try DurableFile.copy(FilePath(file.path), to: temporary)
        try DurableFile.write(
          Array(LockFile([LockFile.File(file)]).json.utf8), to: FilePath(lockPath),
          permissions: DurableFile.publicPermissions)
      } else {
        _ = try RegionExtract.write(
          selection, of: try LocalRegion(FilePath(source)), to: temporary
        ) { try cancellation.check() }
      }
      let bytes = try PMTilesReader(temporary).size
      try DurableFile.publish(temporary, as: target)
      return "\(output): \(ReportNumber.bytes(bytes))\(read)"
    }
  }

  private var lockPath: String { "\(OutputDefinition.stem(of: output)).lock.json" }

  private func fetched(
    _ options: BuildOptions, _ cancellation: Cancellation, _ read: inout String,
    _ progress: @escaping ProgressHandler
  ) throws -> FetchedFile {
    var fetching = FetchOptions()
    fetching.offline = options.offline
    fetching.maximumBytes = max(fetching.maximumBytes, Int64(selection.maxBytes) * 2)
    let folder = FilePath(output).removingLastComponent()
    let sum = ByteSum()
    let fetcher = Fetcher(
      cache: try InputStage.cacheFolder(beside: folder, options), fetching,
      FetchSurroundings(
        isCancelled: { cancellation.isCancelled },
        progress: {
          progress(.advanced(stage: "fetch", done: Int(sum.add($0)), zoom: nil))
        }))
    var lock: LockFile?
    if options.locked {
      lock = try LockFile(json: try DocumentFile.read(lockPath, limit: 1 << 20), path: lockPath)
    }
    do {
      let resource = try RemoteResource(source, kind: .part)
      read = ", as it was read before: nothing new on the server"
      let file = try fetcher.region(
        selection, of: resource, locked: { lock?.digests(of: $0) ?? [] }
      ) { requests, bytes in
        read = " of \(ReportNumber.bytes(Int(bytes))) in \(requests) requests"
      }
      try lock?.require(LockFile([LockFile.File(file)]))
      return file
    } catch {
      try cancellation.check()
      throw error
    }
  }
}
