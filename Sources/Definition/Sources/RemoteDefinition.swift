import Features
package import Fetching
import Runs
package import Tiling

/// The options for fetching the data at a source's URL.
package struct RemoteDefinition: Hashable, Sendable {
  /// The age up to which a cached copy is used without revalidation; `nil` always revalidates.
  package var maxAge: Duration?

  package var onError: FetchErrorPolicy

  /// The age up to which the last good copy is used; `nil` for any.
  package var lastGoodAge: Duration?

  /// The size in bytes above which a file is refused.
  package var maximumBytes: Int64

  /// The headers, sent only to the URL's own host; values may be secrets.
  package var headers: [String: String] = [:]

  /// The area that a template URL covers; `nil` for the area of `tiles`.
  package var bounds: GeoBounds?

  /// The division of the area of a template URL into requests; `nil` for one request.
  package var cut: TemplateCut?

  /// The number of requests above which a template, or an answer in pages, is refused.
  package var maximumRequests: Int

  /// The pages that are read of an answer that comes in several.
  package var pages: PagePolicy
}

/// The pages that are read of a service's answer that comes in several.
package enum PagePolicy: String, CaseIterable, Hashable, Sendable {
  /// All; an answer that stays incomplete is refused.
  case all
  /// The first alone, with a note.
  case first
}

/// The keys of sources whose data may be at a URL.
package enum RemoteKeys {
  package static let keys = [
    KeySpecification(
      "maxAge", .oneOf([.number(0...1e9), .string]),
      "How long a fetched copy is used unchecked, such as 15m, 6h or 7d, or in seconds."),
    KeySpecification(
      "onFetchError",
      .oneOf([.choice(FetchErrorPolicy.allCases.map(\.rawValue)), .object(lastGood)]),
      default: .string("fail"),
      "What happens when the url cannot be fetched: fail, use the last good copy, or skip the "
        + "source; the latter two say so."),
    KeySpecification(
      "headers", .map(of: .string), "HTTP headers by name, sent to the url's own host only."),
    KeySpecification(
      "maxBytes", .integer(1...(1 << 50)), default: .number(Double(FetchOptions().maximumBytes)),
      "A larger file is refused, in bytes."),
    KeySpecification(
      "requests", .object(requests),
      "How a url with {west},{south},{east},{north} or {z}/{x}/{y} is cut into requests."),
  ]

  static let lastGood = ObjectSpecification(
    "onFetchError",
    [
      KeySpecification(
        "lastGood", .oneOf([.number(0...1e9), .string]), isRequired: true,
        "The age up to which the last good copy is used, such as 12h or 3d, or in seconds.")
    ])

  static let requests = ObjectSpecification(
    "requests",
    [
      KeySpecification(
        "bounds", PipelineKeys.bounds,
        "West, south, east, north in degrees; those of tiles by default."),
      KeySpecification(
        "step", .number(0.0001...360), "The side of a request's box in degrees; whole by default."),
      KeySpecification(
        "zoom", .integer(0...TileCoord.maxZoom), "The zoom of {z}/{x}/{y}, instead of a step."),
      KeySpecification(
        "max", .integer(1...100_000), default: .number(1024),
        "More requests than this are refused, the pages of an answer included."),
      KeySpecification(
        "pages", .choice(PagePolicy.allCases.map(\.rawValue)), default: .string("all"),
        "Which pages of a service's answer are read: all, or the first alone."),
    ])
}

extension SourceDecoder {
  /// Decodes the keys of ``RemoteKeys``.
  func remote(_ keyed: KeyedNode) throws(PipelineError) -> RemoteDefinition {
    // The sources of styles have none of these keys, only their defaults.
    let own = KeyedNode(keyed.node, ObjectSpecification("a source", RemoteKeys.keys))
    let requests = keyed.object("requests", RemoteKeys.requests)
    let lastGood = own.object("onFetchError", RemoteKeys.lastGood)
    let lastGoodAge = try duration(lastGood, "lastGood")
    var remote = RemoteDefinition(
      maxAge: try duration(keyed, "maxAge"),
      onError: lastGoodAge == nil ? try own.value("onFetchError") : .lastGood,
      lastGoodAge: lastGoodAge,
      maximumBytes: Int64(try own.value("maxBytes") as Int), bounds: requests.bounds("bounds"),
      maximumRequests: try requests.value("max"), pages: try requests.value("pages"))
    if remote.onError == .skip,
      keyed.object.key("onMissing") != nil || keyed.node[FrameWindowKeys.name] != nil
    {
      throw keyed.fault(
        "onFetchError",
        "'onFetchError: skip' leaves a whole source out, and a series is nothing without its frames. "
          + "Say with 'onMissing' what happens without a frame.")
    }
    for member in keyed.node["headers"]?.members ?? [] {
      remote.headers[member.key] = member.node.text
    }
    if requests.node["step"] != nil, requests.node["zoom"] != nil {
      throw requests.fault("step", "'step' cuts into boxes and 'zoom' into tiles. Keep one.")
    }
    remote.cut =
      requests.number("step").map { .degrees($0) } ?? requests.integer("zoom").map { .zoom($0) }
    try checkTemplate(keyed, remote.cut)
    return remote
  }

  /// Refuses a URL and `requests` that contradict each other, where both are written.
  private func checkTemplate(_ keyed: KeyedNode, _ cut: TemplateCut?) throws(PipelineError) {
    // The templates of tiles have as many zooms as are drawn.
    guard keyed.object.key("tiles") == nil,
      let key = ["data", "url"].first(where: { keyed.node.member($0) != nil })
    else { return }
    let url = keyed.text(key) ?? ""
    let boxes = ["west", "south", "east", "north"]
    let tiles = ["z", "x", "y"]
    let isRemote = DataLocation.isAddress(url)
    let named = (boxes + tiles).filter { isRemote && url.contains("{\($0)}") }
    guard !named.isEmpty else {
      guard let requests = keyed.node["requests"]?.members else { return }
      if isRemote, requests.allSatisfy({ ["max", "pages"].contains($0.key) }) { return }
      throw keyed.fault(
        "requests",
        "'requests' cuts a url with {west},{south},{east},{north} or {z}/{x}/{y}, and '\(key)' has "
          + "none of these. Leave 'requests' out, or write the places into the url.")
    }
    for group in [boxes, tiles] where group.contains(where: named.contains) {
      let missing = group.filter { !named.contains($0) }.map { "{\($0)}" }
      guard missing.isEmpty else {
        throw keyed.fault(
          key, "the url has no \(missing.joined(separator: ", ")). Write all places of a template.")
      }
    }
    if named.contains("z") {
      guard case .zoom? = cut else {
        throw keyed.fault(
          key, "a url with {z}/{x}/{y} needs the zoom of its tiles, such as 'requests: {zoom: 10}'."
        )
      }
    }
  }

  /// Decodes seconds, or a number with s, m, h or d.
  private func duration(
    _ keyed: KeyedNode, _ key: String
  ) throws(PipelineError) -> Duration? {
    if let seconds = keyed.number(key) { return .seconds(seconds) }
    guard let text = keyed.text(key) else { return nil }
    guard let seconds = TimeSpan.seconds(text) else {
      throw keyed.fault(
        key, "'\(key)' is a time such as 15m, 6h or 7d, or seconds, but it is '\(text)'.")
    }
    return .seconds(seconds)
  }
}
