package import Features
import Foundation
package import Hashing
import Ingest
import JSON
package import OrderedCollections

/// The content of a file of updates: an archive (``UpdateList``) or a series (``SeriesUpdates``).
package protocol UpdateContent: Equatable {
  /// The number of the list; it grows with each list that differs, so that an app can refuse an
  /// older one.
  var sequence: Int { get set }

  /// The version of the protocol that an app must know to use what the list publishes: 1, or
  /// ``UpdateList/blocksClient``.
  var minimumClient: Int { get set }

  /// The instant from which apps refuse the list, in seconds since 1970; `nil` for a list without an
  /// end.
  var expires: Int? { get set }

  /// The keys that sign this list and the next ones, in the order of their ids.
  var keys: [Ed25519.PublicKey] { get set }

  /// The number of its deltas.
  var deltaCount: Int { get }

  /// The list on one line, its members in the order of their names.
  var text: String { get }

  /// Reads the members of a list that others do not have; `nil` where it is not one of this kind.
  init?(members: OrderedDictionary<String, PropertyValue>)
}

extension UpdateContent {
  /// Reads the text of a list; `nil` where it is not one of this kind and format.
  package init?(_ text: String) {
    guard case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8)),
      UpdateText.count(members["format"]) == UpdateText.format,
      let client = UpdateText.count(members["minimumClient"]),
      let sequence = UpdateText.count(members["sequence"]),
      let keys = UpdateText.keys(members["keys"])
    else { return nil }
    self.init(members: members)
    (self.sequence, self.keys, minimumClient) = (sequence, keys, client)
    expires = UpdateText.count(members["expires"])
  }
}

/// The members that all lists have.
enum UpdateText {
  /// The version of the list's form.
  static let format = 1

  /// The greatest number that apps accept.
  static let greatest = 1 << 53

  /// Returns the number of a list of any kind; `nil` where the text is none.
  static func sequence(_ text: String) -> Int? {
    guard case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8)),
      count(members["format"]) == format
    else { return nil }
    return count(members["sequence"])
  }

  /// Returns a list on one line.
  static func line(_ list: some UpdateContent, _ members: [String: ReportJSON]) -> String {
    var members = members
    members["format"] = .integer(format)
    members["minimumClient"] = .integer(list.minimumClient)
    members["sequence"] = .integer(list.sequence)
    members["expires"] = list.expires.map { .integer($0) }
    if !list.keys.isEmpty {
      members["keys"] = .array(
        list.keys.map { .members(["key": .string(Data($0.bytes).base64EncodedString())]) })
    }
    return ReportJSON.sorted(members).line
  }

  /// Returns the keys in a list; `nil` where one is invalid.
  static func keys(_ value: PropertyValue?) -> [Ed25519.PublicKey]? {
    guard let value else { return [] }
    return array(value) { item in
      guard case .object(let members) = item, let key = text(members["key"]) else { return nil }
      return Data(base64Encoded: key).flatMap { Ed25519.PublicKey(bytes: Array($0)) }
    }
  }

  /// Returns the elements of an array; `nil` where one is invalid.
  static func array<Element>(
    _ value: PropertyValue?, _ element: (PropertyValue) -> Element?
  ) -> [Element]? {
    guard case .array(let items)? = value else { return nil }
    let elements = items.compactMap(element)
    return elements.count == items.count ? elements : nil
  }

  static func text(_ value: PropertyValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  static func count(_ value: PropertyValue?) -> Int? {
    guard case .number(let number)? = value, number >= 0, number <= Double(greatest) else {
      return nil
    }
    return Int(exactly: number)
  }
}

extension ReportJSON {
  /// Returns an object with the members in the order of their names.
  static func sorted(_ members: [String: ReportJSON]) -> ReportJSON {
    .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }
}
