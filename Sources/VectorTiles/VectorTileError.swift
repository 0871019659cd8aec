package import Failures
import Features
package import Tiling

/// The reason why a vector tile, or one feature of it, cannot be read.
package struct VectorTileError: Error, Hashable, Sendable {
  /// The problem as values.
  package enum Fact: Hashable, Sendable {
    /// The tile has more bytes than the limit.
    case large(bytes: Int, limit: Int)
    /// The packed bytes are damaged, or more than the limit once they are unpacked.
    case packing
    /// A server did not deliver the tile, for a reason in a sentence.
    case unavailable(String)
    /// There are more things of a kind than the limit; the word is a plural.
    case tooMany(String, limit: Int)
    /// The bytes end within a field.
    case truncated
    /// A field has no number, or a wire type that does not exist.
    case field
    /// An integer has more than 64 bits.
    case longInteger
    /// A field has another wire type than the format demands.
    case form(field: String)
    /// A layer lacks a field that it must have.
    case missing(field: String)
    /// A layer is of another version than 1 and 2.
    case version(UInt64)
    /// The extent of a layer is 0 or beyond 31 bits.
    case extent(UInt64)
    /// A value is damaged, or has none of the seven types.
    case value
    /// A feature has a key without a value.
    case oddTags
    /// A feature names a key or value that its layer lacks.
    case tag(String, index: UInt32, count: Int)
    /// The geometry type is not one of the four of the format.
    case geometryType(UInt64)
    case noGeometry
    /// A command of a geometry is not one of the three of the format.
    case command(UInt32)
    /// The count of a command is not allowed, or exceeds the number of parameters.
    case count(of: String, UInt32)
    /// A command is not allowed at its place.
    case order(of: String)
    /// A line or ring ends too early.
    case unfinished(String)
  }

  package let fact: Fact

  /// The layer, if its name is known.
  package internal(set) var layer: String?

  /// The number of the feature in its layer, from 0; `nil` if the error concerns more than one
  /// feature, so that nothing of the tile can be used.
  package internal(set) var feature: Int?

  /// The place in the unpacked tile, from 0.
  package let byte: Int

  /// The tile, once the caller has named it.
  package var tile: TileCoord?

  package init(_ fact: Fact, byte: Int) {
    self.fact = fact
    self.byte = byte
  }

  /// Returns the error with the feature that it concerns.
  func of(feature: Int, layer: String) -> VectorTileError {
    var error = self
    error.feature = feature
    error.layer = layer
    return error
  }

  /// Returns the error with the layer that it concerns.
  func of(layer: String?) -> VectorTileError {
    var error = self
    error.layer = layer
    return error
  }
}

extension VectorTileError: Failure, CustomStringConvertible {
  package var failureCode: FailureCode { .badData }

  package var description: String { sentence }

  package var sentence: String {
    var place = tile.map { ["tile \($0)"] } ?? ["the vector tile"]
    if let layer { place.append("layer '\(layer.withoutControls.prefix(80))'") }
    if let feature { place.append("feature \(feature + 1)") }
    if case .unavailable(let reason) = fact { return "\(place.joined(separator: ", ")): \(reason)" }
    place.append("byte \(byte)")
    return "\(place.joined(separator: ", ")): \(fact.words); make the tile again, or leave it out."
  }
}

extension VectorTileError.Fact {
  /// The problem as a clause.
  fileprivate var words: String {
    switch self {
    case .unavailable(let reason): reason
    case .large(let bytes, let limit): "it has \(bytes) bytes, more than the limit of \(limit)"
    case .packing: "its bytes cannot be unpacked, or are too many"
    case .tooMany(let things, let limit): "there are more than \(limit) \(things)"
    case .truncated: "the bytes end in the middle of a field"
    case .field: "a field has no number, or a wire type that vector tiles lack"
    case .longInteger: "an integer has more than 64 bits"
    case .form(let field): "the field '\(field)' has another wire type than the format demands"
    case .missing(let field): "the layer has no '\(field)'"
    case .version(let version): "the layer is of version \(version), and only 1 and 2 are read"
    case .extent(let extent): "the layer's extent is \(extent), not 1 to 2,147,483,647"
    case .value: "a value is damaged, or has none of the seven types"
    case .oddTags: "a property has a key and no value"
    case .tag(let kind, let index, let count): "it names \(kind) \(index) of \(count)"
    case .geometryType(let type): "its geometry type is \(type), not 0 to 3"
    case .noGeometry: "it has no geometry"
    case .command(let command): "its geometry has a command \(command), not 1, 2 or 7"
    case .count(let command, let count): "its geometry has a \(command) with the count \(count)"
    case .order(let command): "its geometry has a \(command) where none may stand"
    case .unfinished(let thing): "its geometry has \(thing) that is not finished"
    }
  }
}
