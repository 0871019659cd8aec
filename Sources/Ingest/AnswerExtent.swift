package import Features
import JSON
import OrderedCollections

/// What the answer of a service says about the records that it lacks: the members beside `features`.
///
/// Known are WFS (`numberMatched`, `totalFeatures`), OGC API and STAC (`links` with `rel: next`),
/// ArcGIS (`exceededTransferLimit`, also among the `properties` of a collection), CKAN (`result`
/// with `total` and `_links`), and the names that other services use for the same facts, also within
/// `meta`, `paging` and the like.
package struct AnswerExtent: Hashable, Sendable {
  /// The number of records that match the request; `nil` where the answer does not say.
  package var matched: Int? { stated ?? (hasWindow ? total : nil) }

  /// Whether the answer says that it lacks records.
  package private(set) var isCut = false

  /// The address of the next page, as the answer spells it.
  package private(set) var next: String?

  /// The value that asks for the next page.
  package private(set) var token: Token?

  /// Whether the answer says at which record it begins, or how many it may have.
  package private(set) var hasWindow = false

  /// The number under a name that means nothing else.
  private var stated: Int?

  /// The number that is called `total`, which may be a sum of anything where ``hasWindow`` is false.
  private var total: Int?

  /// A value by which a service finds the next page.
  package struct Token: Hashable, Sendable {
    package let value: String

    /// The usual name of its parameter.
    package let parameter: String
  }

  /// The number of elements of `features`, of an answer that was scanned.
  package private(set) var records = 0

  package init() {}

  /// The members that hold a number of records that match.
  private static let counts: Set<String> = [
    "numberMatched", "totalFeatures", "total_count", "totalCount", "totalElements", "nhits",
    "matched",
  ]

  /// The members that say that there is more.
  private static let cuts: Set<String> = [
    "exceededTransferLimit", "has_more", "hasMore", "has_next", "hasNext", "hasNextPage",
  ]

  /// The members with a value for the next page, and the usual name of its parameter.
  private static let tokens = [
    "nextPageToken": "pageToken", "resumptionToken": "resumptionToken", "next_cursor": "cursor",
    "nextCursor": "cursor", "next_page": "page", "nextPage": "page",
  ]

  /// The members that say which part of the records an answer is.
  private static let windows: Set<String> = ["offset", "limit", "skip", "per_page", "page_size"]

  /// The members whose members are read in turn.
  private static let wrappers: Set<String> = [
    "context", "result", "meta", "metadata", "page", "paging", "pagination", "cursors", "_links",
  ]

  /// The members of a collection that are read; all others are skipped.
  private static let names = counts.union(cuts).union(tokens.keys).union(windows).union(wrappers)
    .union(["links", "next", "total"])

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
    switch (name, value) {
    case (_, _) where Self.counts.contains(name):
      if let count = Self.count(value) { stated = max(stated ?? 0, count) }
    case ("total", _): total = Self.count(value)
    case (_, .bool(true)) where Self.cuts.contains(name): isCut = true
    case (_, _) where Self.tokens[name] != nil: takeToken(value, Self.tokens[name] ?? "")
    case (_, .number) where Self.windows.contains(name): hasWindow = true
    case ("next", _): takeNext(value)
    case ("links", .array): if let address = Self.nextLink(value) { next = address }
    case ("links", .object(let members)): if let link = members["next"] { takeNext(link) }
    case ("properties", .object(let members)):
      for name in ["matched", "exceededTransferLimit"] {
        if let value = members[name] { take(name, value) }
      }
    case (_, .object(let members)) where Self.wrappers.contains(name):
      for (name, value) in members where Self.names.contains(name) { take(name, value) }
      // What is said of pages beside a total says that it is one of records.
      if total != nil, !["context", "metadata"].contains(name) { hasWindow = true }
    default: break
    }
  }

  /// Takes what leads to the next page: its address, or a value that asks for it.
  private mutating func takeNext(_ value: PropertyValue) {
    guard let text = Self.address(value) else {
      // The number of a page or of a record, or a page itself: there is one.
      if Self.count(value) != nil || value == .bool(true) { isCut = true }
      return
    }
    if text.contains(where: { "/?:".contains($0) }) {
      next = text
    } else {
      takeToken(.string(text), "cursor")
    }
  }

  private mutating func takeToken(_ value: PropertyValue, _ parameter: String) {
    switch value {
    case .string(let text) where text.contains("://"): next = text
    case .string(let text) where !text.isEmpty: token = Token(value: text, parameter: parameter)
    case .number:
      if let number = Self.count(value) { token = Token(value: "\(number)", parameter: parameter) }
    default: return
    }
    isCut = true
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
  /// its reader will say so, and so it will of an object without features, which gives `nil`.
  ///
  /// - Complexity: O(bytes).
  package init?(scanning source: ByteSource) throws(SourceError) {
    var hasFeatures = false
    var json = JSONTokenizer(source: source)
    do throws(JSONFailure) {
      try json.skipByteOrderMark()
      guard try json.peek() == JSONByte.openBrace else { return nil }
      try json.beginObject()
      while try json.nextName() {
        let name = String(decoding: json.text, as: UTF8.self)
        if name == "features", try json.peek() == JSONByte.openBracket {
          hasFeatures = true
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
    guard hasFeatures else { return nil }
  }

  /// Reads what the first bytes of a WFS answer in GML say; `nil` for what is none, or says nothing.
  package init?(markup head: [UInt8]) {
    let text = String(decoding: head, as: UTF8.self)
    guard let start = text.firstRange(of: "FeatureCollection"),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let attributes = text[start.upperBound..<end].split { $0.isWhitespace }
    func value(_ name: String) -> String? {
      attributes.first { $0.hasPrefix("\(name)=") }.map { attribute in
        attribute.dropFirst(name.utf8.count + 1).filter { $0 != "\"" && $0 != "'" }
      }
    }
    stated = value("numberMatched").flatMap { Int($0) }
    let returned = value("numberReturned").flatMap { Int($0) }
    next = value("next").flatMap { $0.isEmpty ? nil : $0.replacing("&amp;", with: "&") }
    guard next != nil || stated != nil && returned != nil else { return nil }
    records = returned ?? 0
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
