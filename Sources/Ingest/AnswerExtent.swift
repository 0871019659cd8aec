package import Features
import JSON
import OrderedCollections

/// What the answer of a service says about the records that it lacks: the members beside `features`.
///
/// Known are WFS (`numberMatched`, `totalFeatures`), OGC API and STAC (`links` with `rel: next`),
/// ArcGIS (`exceededTransferLimit`, also among the `properties` of a collection), and the names that
/// other services use for the same facts.
package struct AnswerExtent: Hashable, Sendable {
  /// The number of records that match the request; `nil` where the answer does not say.
  package private(set) var matched: Int?

  /// Whether the answer says that it lacks records.
  package private(set) var isCut = false

  /// The address of the next page, as the answer spells it.
  package private(set) var next: String?

  /// The number of elements of `features`, of an answer that was scanned.
  package private(set) var records = 0

  package init() {}

  /// The members of a collection that are read; all others are skipped.
  private static let names: Set<String> = [
    "numberMatched", "totalFeatures", "total_count", "totalCount", "nhits", "matched",
    "exceededTransferLimit", "links", "_links", "paging", "pagination", "next", "nextPageToken",
    "resumptionToken", "context",
  ]

  /// The maximum size of such a member in bytes.
  private static let sizeLimit = 1 << 16

  /// Whether a member of a collection says something.
  static func reads(_ name: UnsafeRawBufferPointer) -> Bool {
    names.contains(String(decoding: name, as: UTF8.self))
  }

  /// Reads the value of a member; one that is malformed or too large says nothing.
  mutating func read(
    _ name: String, from json: inout JSONTokenizer
  ) throws(JSONFailure) {
    let depth = json.depth
    do throws(JSONFailure) {
      take(name, try JSONValueParser.value(from: &json, maximumBytes: Self.sizeLimit))
    } catch {
      guard error.recordReason != nil else { throw error }
      try json.unwind(to: depth)
    }
  }

  private mutating func take(_ name: String, _ value: PropertyValue) {
    switch name {
    case "numberMatched", "totalFeatures", "total_count", "totalCount", "nhits", "matched":
      if let count = Self.count(value) { matched = max(matched ?? 0, count) }
    case "exceededTransferLimit":
      if value == .bool(true) { isCut = true }
    case "nextPageToken", "resumptionToken":
      if case .string(let token) = value, !token.isEmpty { isCut = true }
    case "next": if let address = Self.address(value) { next = address }
    case "links" where Self.nextLink(value) != nil: next = Self.nextLink(value)
    case "links", "_links", "paging", "pagination":
      if case .object(let members) = value, let link = members["next"] { take("next", link) }
    case "context", "properties":
      guard case .object(let members) = value else { return }
      for name in ["matched", "exceededTransferLimit"] {
        if let value = members[name] { take(name, value) }
      }
    default: break
    }
  }

  /// Returns a number of records; services also write `"unknown"`.
  private static func count(_ value: PropertyValue) -> Int? {
    if case .string(let text) = value { return Int(text).flatMap { $0 >= 0 ? $0 : nil } }
    return value.double.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns the address that is the value itself, or its `href`.
  private static func address(_ value: PropertyValue) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .object(let members): members["href"].flatMap(address)
    default: nil
    }
  }

  /// Returns the address of the next page in a list of links. A page in another format, such as
  /// HTML, is not the next one.
  private static func nextLink(_ value: PropertyValue) -> String? {
    guard case .array(let links) = value else { return nil }
    var found: (address: String, rank: Int)?
    for case .object(let link) in links where link["rel"] == .string("next") {
      guard let address = link["href"].flatMap(address) else { continue }
      var rank = 1
      if case .string(let type)? = link["type"] {
        guard type.contains("json") else { continue }
        rank = type.contains("geo+json") ? 0 : 2
      }
      if rank < found?.rank ?? .max { found = (address, rank) }
    }
    return found?.address
  }
}

extension AnswerExtent {
  /// Reads the members of an answer and counts its features; what is not JSON ends the scan, since
  /// its reader will say so.
  ///
  /// - Complexity: O(bytes).
  package init(scanning source: ByteSource) throws(SourceError) {
    var json = JSONTokenizer(source: source)
    do throws(JSONFailure) {
      try json.skipByteOrderMark()
      guard try json.peek() == JSONByte.openBrace else { return }
      try json.beginObject()
      while try json.nextName() {
        let name = String(decoding: json.text, as: UTF8.self)
        if name == "features", try json.peek() == JSONByte.openBracket {
          try json.beginArray()
          while try json.nextElement() {
            try json.skipValue()
            records += 1
          }
        } else if name == "properties" || Self.names.contains(name) {
          try read(name, from: &json)
        } else {
          try json.skipValue()
        }
      }
    } catch {
      if case .source(let error as SourceError) = error.kind { throw error }
    }
  }

  /// Reads the numbers of a WFS answer in GML from its first bytes; `nil` for what is none, or says
  /// nothing.
  package init?(markup head: [UInt8]) {
    let text = String(decoding: head, as: UTF8.self)
    guard let start = text.firstRange(of: "FeatureCollection"),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let attributes = text[start.upperBound..<end].split { $0.isWhitespace }
    func number(_ name: String) -> Int? {
      attributes.first { $0.hasPrefix("\(name)=") }.flatMap { attribute in
        Int(attribute.dropFirst(name.utf8.count + 1).filter { $0 != "\"" && $0 != "'" })
      }
    }
    guard let matched = number("numberMatched"), let returned = number("numberReturned") else {
      return nil
    }
    (self.matched, records) = (matched, returned)
  }

  /// Reads the `properties` of a collection, which RFC 7946 does not allow but ArcGIS writes.
  ///
  /// - Returns: whether they are such.
  mutating func readProperties(from json: inout JSONTokenizer) throws(JSONFailure) -> Bool {
    var found = AnswerExtent()
    try found.read("properties", from: &json)
    guard found != AnswerExtent() else { return false }
    isCut = isCut || found.isCut
    return true
  }
}

extension SourceLedger {
  /// Adds what the answer says.
  func stating(_ extent: AnswerExtent) -> SourceLedger {
    var ledger = self
    ledger.matched = extent.matched
    ledger.isCut = extent.isCut || extent.next != nil && extent.matched == nil
    return ledger
  }
}
