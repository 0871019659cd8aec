import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
import SystemPackage

/// JSON objects of metadata, which are not trusted.
enum MetadataObject {
  /// Returns the members of an object; none if the bytes are no JSON object.
  static func members(_ bytes: [UInt8]) -> OrderedDictionary<String, PropertyValue> {
    var limits = JSONTokenizer.Limits()
    limits.depth = 64
    guard case .object(var members)? = try? JSONValueParser.parse(bytes, limits: limits) else {
      return [:]
    }
    // MBTiles and the folders of tippecanoe have the layers in a text of JSON.
    if members["vector_layers"] == nil, case .string(let text)? = members["json"],
      case .object(let more)? = try? JSONValueParser.parse(Array(text.utf8), limits: limits)
    {
      members["vector_layers"] = more["vector_layers"]
    }
    return members
  }

  /// Returns the members of the object in a file; none if it has none.
  static func members(
    of path: FilePath
  ) throws(ArchiveError) -> OrderedDictionary<String, PropertyValue> {
    members(try TileFile.bytes(of: path, limit: TileFile.headLimit) ?? [])
  }

  /// Returns the rows of an archive as such members.
  static func members(_ metadata: StoredMetadata) -> OrderedDictionary<String, PropertyValue> {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    for entry in metadata.entries where members[entry.name] == nil {
      members[entry.name] = .string(entry.value)
    }
    if case .string(let text)? = members["json"] {
      members["vector_layers"] = Self.members(Array(text.utf8))["vector_layers"]
    }
    return members
  }
}
