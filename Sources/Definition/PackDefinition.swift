package import Runs
import Tiling

/// The division of an archive into packs: archives of single regions, each with the tiles that its
/// region touches, and one of the tiles that all need.
package struct PackDefinition: Hashable, Sendable {
  /// The path of the GeoJSON file whose features are the regions.
  package var regions: String

  /// The place of ``regions`` in the pipeline file.
  package var place: DocumentPlace

  /// The property that names a region, as the pipeline sets it; `nil` for ``defaultProperty``.
  package var nameProperty: String?

  /// The place of ``nameProperty`` in the pipeline file.
  package var namePlace: DocumentPlace

  /// The last zoom of the shared pack, which no region's pack has; `nil` without a shared pack.
  package var sharedMaxZoom: Int?

  package init(
    regions: String, place: DocumentPlace, nameProperty: String? = nil,
    namePlace: DocumentPlace? = nil, sharedMaxZoom: Int? = nil
  ) {
    self.regions = regions
    self.place = place
    self.nameProperty = nameProperty
    self.namePlace = namePlace ?? place
    self.sharedMaxZoom = sharedMaxZoom
  }

  /// The property that names a region by default.
  package static let defaultProperty = "name"

  /// The property that names a region; where it is missing, the id does.
  package var property: String { nameProperty ?? Self.defaultProperty }
}

extension PipelineKeys {
  static let packs = ObjectSpecification(
    "packs",
    [
      KeySpecification(
        "by", .string, isRequired: true,
        "The GeoJSON file whose polygons are the regions, one pack for each feature."),
      KeySpecification(
        "name", .string,
        "The property that names a region, by default 'name'; the feature's id where it is missing."
      ),
      KeySpecification(
        "shared", .object(sharedPack),
        "The pack of what all need; without it every pack has all zooms."),
    ])

  private static let sharedPack = ObjectSpecification(
    "shared",
    [
      KeySpecification(
        "maxzoom", .integer(0...TileCoord.maxZoom), isRequired: true,
        "The last zoom of the shared pack; the packs of regions begin at the next.")
    ])
}

extension OutputDecoder {
  /// - Parameter keyed: the keys of `output`.
  func packs(
    _ keyed: KeyedNode, hasSeries: Bool
  ) throws(PipelineError) -> PackDefinition? {
    let key = "packs"
    guard let node = keyed.node[key] else { return nil }
    guard !hasSeries else {
      throw keyed.fault(
        key,
        "a series is many archives, one for each frame, and is not divided into packs. Remove '\(key)'."
      )
    }
    let packs = KeyedNode(node, PipelineKeys.packs)
    let regions = packs.node["by"] ?? node
    return PackDefinition(
      regions: try paths.localFile(regions, "regions"), place: regions.place,
      nameProperty: packs.text("name"), namePlace: packs.node["name"]?.place ?? node.place,
      sharedMaxZoom: packs.node["shared"]?["maxzoom"]?.integer)
  }

  /// Refuses a shared pack that would leave the regions without tiles, or have none itself.
  func requireZooms(
    of packs: PackDefinition?, in tiles: TilesDefinition
  ) throws(PipelineError) {
    guard let last = packs?.sharedMaxZoom, !(tiles.minZoom..<tiles.maxZoom).contains(last) else {
      return
    }
    let place = root["output"]?["packs"]?["shared"]?["maxzoom"]?.place ?? root.place
    throw place.fault(
      "'maxzoom' of 'shared' is \(last), and tiles are made for zoom \(tiles.minZoom) to "
        + "\(tiles.maxZoom), of which the regions have the zooms after it. "
        + (tiles.minZoom < tiles.maxZoom
          ? "Set one from \(tiles.minZoom) to \(tiles.maxZoom - 1)." : "Remove 'shared'."))
  }
}
