import Definition
import Features
import Ingest
import MBTiles
import SystemPackage
import Tilesets
import Tiling
import VectorTiles

// How a part of a tileset is opened.
extension ResolvedSource {
  /// Opens a part of vector tiles.
  ///
  /// - Parameter tiles: the definition of the tileset.
  func reader(
    of part: VectorTileSource.Part, in tiles: VectorTileSource, _ input: SourceInput,
    _ request: ReadRequest
  ) throws(SourceError) -> any FeatureReader {
    guard case .file(let path, let name) = input else {
      throw SourceError(
        code: .configuration, file: input.name, message: "is not a file; a tileset must be one")
    }
    let shared =
      sharedTiles
      ?? SharedTiles(layers: [part.layer], limit: 0) { () throws(ArchiveError) in
        try tiles.tileset(path)
      }
    do throws(ArchiveError) {
      return try tiles.reader(of: part, shared, named: name, request)
    } catch {
      throw SourceError(error, file: name)
    }
  }
}

extension VectorTileSource {
  fileprivate func reader(
    of part: Part, _ shared: SharedTiles, named name: String, _ request: ReadRequest
  ) throws(ArchiveError) -> VectorTileReader {
    let wanted = request.wanted.map { Set($0) }
    let idName = promotedID.property(of: part.layer)
    var present = try shared.presence(zoom: part.zoom, in: ranges(of: part).first)
    let broken = part.block == nil ? try takeBroken(of: part, shared, from: &present) : []
    var reader = VectorTileReader(
      layer: part.layer, tiles: tiles(of: part, present),
      isPainted: part.use == .shapes, limits: shared.limits,
      isWanted: { wanted?.contains($0) ?? true || $0 == idName }
    ) { [found] (tile) throws(SourceError) in
      if let failure = found?.failures[tile] {
        return .broken(VectorTileError(.unavailable(failure), byte: 0), bytes: 0)
      }
      do throws(ArchiveError) {
        return try shared.content(of: tile)
      } catch {
        throw SourceError(error, file: name)
      }
    }
    reader.idName = idName
    reader.broken = broken
    reader.countsTiles = part.countsTiles
    if let block = part.block {
      reader.countsFaults = { block.own?.contains($0) ?? false }
    }
    return reader
  }

  /// Removes the tiles that are stored once for many, if they are broken, and returns them: runs may have
  /// millions.
  ///
  /// - Complexity: O(runs + blocks of 64 tiles).
  private func takeBroken(
    of part: Part, _ shared: SharedTiles, from present: inout TileKeySet
  ) throws(ArchiveError) -> [VectorTileReader.Broken] {
    var broken: [VectorTileReader.Broken] = []
    let ranges = ranges(of: part)
    for square in present.squares {
      let (first, last) = square.corners(ofZoom: part.zoom)
      guard ranges.allSatisfy({ $0.contains(first) && $0.contains(last) }),
        let fault = try shared.fault(ofAllBelow: square, zoom: part.zoom)
      else { continue }
      let count = present.count
      present.remove(square)
      broken.append(
        VectorTileReader.Broken(
          first: first, count: count - present.count, error: fault.error, bytes: fault.bytes))
    }
    return broken
  }
}

extension SourceError {
  /// Creates the error of a source whose data is a tileset.
  fileprivate init(_ error: ArchiveError, file: String) {
    let code: Code =
      switch error.code {
      case .missing: .missing
      case .permission: .permission
      case .inputOutput, .diskFull, .locked, .stopped, .cannotCreate: .io
      case .badArchive, .badValue, .misuse: .badData
      }
    self.init(code: code, file: file, message: error.message)
  }
}
