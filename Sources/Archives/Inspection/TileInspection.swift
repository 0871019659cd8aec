import Features
import Files
import JSON
import MBTiles
import OrderedCollections
import Pictures
package import Runs
import SystemPackage
import Tilesets
package import Tiling
import VectorTiles

/// The inspection of one tile in any container by `inspect --tile`: the features of a vector tile, or
/// the size of a picture.
package struct TileInspection {
  private let path: String
  private let tile: TileCoord

  /// Maximum number of features of a layer that are listed, and of characters of their properties.
  private static let featureLimit = 20
  private static let propertyLimit = 160

  private let limits = VectorTileLimits()

  package init(_ path: String, _ tile: TileCoord) {
    self.path = path
    self.tile = tile
  }

  /// Describes the tile.
  ///
  /// - Throws: ``PipelineError``, also where the tile is missing or damaged.
  package func text() throws(PipelineError) -> String {
    try PipelineError.wrapping {
      let tileset = try TilesetOpening.open(FilePath(path))
      guard let stored = try tileset.storedTile(tile) else { throw try missing(in: tileset) }
      let title = "\(path), tile \(tile): \(ReportNumber.bytes(stored.count))"
      if let picture = stored.withUnsafeBytes({ TileFormat(sniffing: $0) }), picture != .vector {
        let size = stored.withUnsafeBytes { PictureSize(of: $0) }
        return "\(title), \(picture.title)\(size.map { " of \($0) px" } ?? "")"
      }
      do throws(VectorTileError) {
        let bytes = try TilesetCensus.unpacked(stored, limits)
        let vector = try VectorTile(bytes, limits: limits)
        let packing =
          bytes.count == stored.count ? "" : ", \(ReportNumber.bytes(bytes.count)) unpacked"
        return describe(vector, title: title + packing)
      } catch {
        var error = error
        error.tile = tile
        throw PipelineError(error.failureCode, error.sentence, at: DocumentPlace(file: path))
      }
    }
  }

  private func missing(in tileset: any Tileset) throws -> PipelineError {
    var parent = tile
    var known = false
    while parent.z > 0, !known {
      parent = TileCoord(z: parent.z - 1, x: parent.x / 2, y: parent.y / 2)
      known = try tileset.storedTile(parent) != nil
    }
    let zooms = tileset.head.possibleZooms
    return PipelineError(
      .usage,
      "there is no tile \(tile). "
        + (known
          ? "Of those above it, \(parent) is there."
          : "Zooms are \(zooms.lowerBound) to \(zooms.upperBound), and rows count from the north."),
      at: DocumentPlace(file: path))
  }

  private func describe(_ vector: VectorTile, title: String) -> String {
    var table = ReportTable([
      ["layer", "version", "extent", "features", "points", "lines", "polygons", "vertices"]
    ])
    var lists: [String] = []
    for layer in vector.layers {
      var kinds = TilesetCensus.Kinds()
      var vertices = 0
      let features = features(of: layer, &kinds, &vertices)
      table.rows.append(
        [layer.name.withoutControls, "\(layer.version)", "\(layer.extent)"]
          + [layer.count, kinds.points, kinds.lines, kinds.polygons, vertices]
          .map(ReportNumber.count))
      lists.append(features)
    }
    let repeated = vector.repeatedNames.map(\.withoutControls).joined(separator: ", ")
    return
      ([
        title, table.text,
        repeated.isEmpty
          ? nil : "several layers are named \(repeated); those of one name are drawn as one layer.",
      ] + lists).compactMap(\.self).joined(separator: "\n\n")
  }

  /// Lists the first features of a layer, and adds up all.
  private func features(
    of layer: VectorTileLayer, _ kinds: inout TilesetCensus.Kinds, _ vertices: inout Int
  ) -> String {
    var table = ReportTable([["id", "type", "vertices", "properties"]], text: [0, 1, 3])
    var feature = VectorTileFeature()
    for index in 0..<layer.count {
      let isListed = index < Self.featureLimit
      do throws(VectorTileError) {
        try layer.readFeature(index, into: &feature)
        try feature.decodeGeometry()
      } catch {
        if isListed { table.rows.append(["", "broken", "", error.sentence]) }
        continue
      }
      kinds.add(feature.type)
      vertices += feature.vertices.count
      guard isListed else { continue }
      table.rows.append([
        feature.id.map { "\($0)" } ?? "", "\(feature.type)",
        ReportNumber.count(feature.vertices.count), Self.properties(of: feature, layer),
      ])
    }
    let left = layer.count - Self.featureLimit
    let name = layer.name.withoutControls
    return "layer \(name)\n\n\(table.text)"
      + (left > 0 ? "\n  \(ReportNumber.count(left)) more; all of them: \(query(layer.name))" : "")
  }

  private static func properties(of feature: VectorTileFeature, _ layer: VectorTileLayer) -> String
  {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    for tag in stride(from: 0, to: feature.tags.count, by: 2) {
      members[layer.keys[Int(feature.tags[tag])]] =
        layer.values[Int(feature.tags[tag + 1])].property
    }
    let text = JSONWriter.text(.object(members))
    return text.count > propertyLimit ? text.prefix(propertyLimit) + "…" : text
  }

  /// The command that prints the features of the tile.
  private func query(_ layer: String) -> String {
    let side = 1 << (32 - tile.z)
    func corner(_ x: Int, _ y: Int) -> LngLat {
      LngLat(
        WorldPoint(
          x: UInt32(clamping: x * side), y: UInt32(clamping: y * side)))
    }
    let (first, last) = (corner(tile.x, tile.y), corner(tile.x + 1, tile.y + 1))
    let box = [first.longitude, last.latitude, last.longitude, first.latitude]
      .map { ReportNumber.decimal($0, 6) }.joined(separator: ",")
    return "quadrille query \(path.shellWord) --source-layer \(layer.shellWord) -z \(tile.z) "
      + "--bbox=\(box)"
  }
}
