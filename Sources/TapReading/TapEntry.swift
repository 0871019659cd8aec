/// The data of a feature or cluster, as pieces of JSON from which a reader composes what a tap answers.
///
/// The pieces are members of JSON objects, without braces or a comma around them.
package struct TapEntry: Hashable, Sendable {
  /// The key, the member `id` of the JSON; empty in version 1, whose ``fields`` have that member.
  package var key: [UInt8]

  /// The fields of a feature, or the properties of a cluster.
  package var fields: [UInt8]

  /// The members that a cluster does not repeat of its members: the text and the source.
  package var more: [UInt8]

  /// The identifiers of a cluster's first members; `nil` for a single feature.
  package var members: [UInt64]?

  package init(
    key: [UInt8], fields: [UInt8], more: [UInt8] = [], members: [UInt64]? = nil
  ) {
    (self.key, self.fields, self.more, self.members) = (key, fields, more, members)
  }

  /// Creates the entry of a whole JSON object, the only form of version 1.
  ///
  /// - Throws: unless braces enclose the bytes.
  package init(json: some BidirectionalCollection<UInt8>) throws(TapFault) {
    guard json.count >= 2, json.first == Self.opening, json.last == Self.closing else {
      throw TapFault("has an entry that is not an object")
    }
    self.init(key: [], fields: Array(json.dropFirst().dropLast()))
  }

  private static let opening = UInt8(ascii: "{")
  private static let closing = UInt8(ascii: "}")

  /// The number of bytes of the pieces.
  package var byteCount: Int { key.count + fields.count + more.count }

  /// Returns the entry as JSON.
  ///
  /// - Parameter member: returns the entry of a member.
  package func json<Failure: Error>(
    member: (UInt64) throws(Failure) -> TapEntry
  ) throws(Failure) -> [UInt8] {
    var list: [UInt8] = []
    if let members {
      list = Array(#""members":["#.utf8)
      for (index, identifier) in members.enumerated() {
        if index > 0 { list.append(UInt8(ascii: ",")) }
        let entry = try member(identifier)
        list += Self.object([entry.fields, entry.id])
      }
      list.append(UInt8(ascii: "]"))
    }
    return Self.object([fields, list, more, id])
  }

  /// The member `id` of the JSON.
  private var id: [UInt8] {
    key.isEmpty ? [] : Array(#""id":""#.utf8) + key + [UInt8(ascii: "\"")]
  }

  private static func object(_ pieces: [[UInt8]]) -> [UInt8] {
    [opening] + pieces.filter { !$0.isEmpty }.joined(separator: CollectionOfOne(UInt8(ascii: ",")))
      + [closing]
  }
}
