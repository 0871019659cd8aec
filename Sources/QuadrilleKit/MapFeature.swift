/// A record that a program has in memory: a place on the map with properties.
///
/// ```swift
/// let bern = MapFeature(
///   id: "bern", geometry: .point(MapPosition(longitude: 7.447, latitude: 46.948)),
///   properties: ["name": "Bern", "people": 134_000])
/// ```
///
/// Pass features to ``TilePipeline/replacingSource(_:with:temporaryFolder:)``.
public struct MapFeature: Hashable, Sendable {
  /// The identifier of a feature, as GeoJSON has it.
  public enum ID: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
  }

  /// The value of a property.
  public enum Value: Hashable, Sendable {
    /// No value; the property is there all the same.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A finite number.
    case number(Double)
    /// A text.
    case string(String)
  }

  /// The identifier, unique among the features of a source; `nil` for one that follows from the
  /// feature's content, unless `id:` of the source names a property.
  public var id: ID?

  /// The place; `nil` for a feature that is counted as ``SourceResult/noGeometry`` and not drawn.
  public var geometry: MapGeometry?

  /// The properties by name, for expressions, labels and taps.
  public var properties: [String: Value]

  /// Creates a feature.
  public init(id: ID? = nil, geometry: MapGeometry?, properties: [String: Value] = [:]) {
    self.id = id
    self.geometry = geometry
    self.properties = properties
  }
}

extension MapFeature.ID: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  /// Creates an identifier from a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an identifier from a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

extension MapFeature.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}
