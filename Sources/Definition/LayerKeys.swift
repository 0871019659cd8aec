import Features
import Styling

/// The keys of the layers, named as in the MapLibre style specification.
enum LayerKeys {
  /// The layers of pipelines.
  static let layers = specification { object($0) }

  /// The layers of MapLibre styles, which may have keys that their type does not read.
  static let styleLayers = specification { kind in
    var object = object(kind)
    object.keys += ignoredKeys.filter { object.key($0.name) == nil }
    return object
  }

  private static func specification(
    _ object: (StyleLayer.Kind) -> ObjectSpecification
  ) -> TypedSpecification {
    TypedSpecification(
      "layer", types: StyleLayer.Kind.allCases.map { (name: $0.rawValue, object: object($0)) },
      example: "{id: points, type: circle, source: stores}",
      refused: ["fill-extrusion", "hillshade", "color-relief", "sky"], isNamedByID: true,
      block: { StyleProperty(rawValue: $0)?.block })
  }

  /// The keys of a style's layers that are ignored if the type has no use for them; `slot` is
  /// Mapbox's.
  private static let ignoredKeys = ["source", "source-layer", "filter", "slot"].map {
    KeySpecification($0, .anything, "Ignored for this type of layer.")
  }

  private static func object(_ type: StyleLayer.Kind) -> ObjectSpecification {
    let own = [
      KeySpecification("id", .string, isRequired: true, "The layer's name, which must be unique."),
      KeySpecification(
        "type", .choice([type.rawValue]), isRequired: true, "What the layer draws."),
    ]
    let data = [
      KeySpecification("source", .string, isRequired: true, "The source that it draws."),
      KeySpecification(
        "source-layer", .string,
        "The layer of vector tiles that it draws; ignored for other sources, which have one."),
      KeySpecification(
        "filter", .anything, "A MapLibre expression or filter: which features are drawn."),
    ]
    let looks = [
      KeySpecification(
        "minzoom", .number(LayerDefinition.zooms),
        default: .number(LayerDefinition.zooms.lowerBound),
        "The layer is drawn from this zoom on."),
      KeySpecification(
        "maxzoom", .number(LayerDefinition.zooms),
        default: .number(LayerDefinition.zooms.upperBound),
        "The layer is drawn below this zoom."),
      KeySpecification("paint", .map(of: .anything), "MapLibre paint properties."),
      KeySpecification("layout", .map(of: .anything), "MapLibre layout properties."),
      KeySpecification(
        "metadata", .anything,
        "Its 'title' names the layer in the legend, 'legend: false' leaves it out; the rest is "
          + "ignored."),
      KeySpecification("interactive", .anything, "A key of older styles; ignored."),
    ]
    return ObjectSpecification(
      "a \(type.rawValue) layer", own + (type == .background ? [] : data) + looks)
  }
}
