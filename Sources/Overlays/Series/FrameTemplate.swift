import Files

/// An address with placeholders: `https://example.org/{layer}/{format}?TIME={time}&key={key}`.
///
/// | Placeholder | Value |
/// |---|---|
/// | `{layer}` `{format}` | the layer's name and image format in the capabilities |
/// | `{time}` | the instant that the image shows, as `2014-01-19T06:00:00Z` |
/// | `{run}` `{timestep}` | for a forecast: the model run, and the hours after it |
/// | `{key}` | the secret |
///
/// `{time:%Y%m%d%H%M}` and `{run:…}` format the time by a pattern. Values are percent-encoded. The
/// names of the `BaseUrl` in capabilities are also recognized: `{LayerName}`, `{ImageFormat}`,
/// `{Timestep}`, and `{Time}` and `{DefaultTime}`, which are `{time}` and `{run}` without the `Z`.
package struct FrameTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case layer, format, timestep, key
    case time(TimePattern?)
    case run(TimePattern?)
  }

  /// The values of the placeholders for one frame.
  struct Values {
    var layer: String
    var format: String
    var time: FrameTime
    var run: FrameTime?

    /// The hours after the run, as spelled in the document.
    var timestep: String?
  }

  let parts: [Part]

  /// - Throws: ``SeriesError`` if a placeholder is unknown or not closed, or if the address would
  ///   be the same for all frames.
  package init(_ text: String) throws(SeriesError) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw SeriesError(.badPattern, "a '{' of the url template is not closed; add '}'.")
      }
      parts.append(try Self.part(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    self.parts = parts
    let varies = parts.contains { part in
      switch part {
      case .time, .timestep: true
      default: false
      }
    }
    guard varies else {
      throw SeriesError(
        .badPattern, "the url template has neither {time} nor {timestep}; all frames would be one.")
    }
  }

  /// The text before the first placeholder.
  package var start: String {
    if case .literal(let text)? = parts.first { text } else { "" }
  }

  /// The format of an instant in capabilities.
  private static let withoutZone = "%FT%T"

  private static func part(_ text: String) throws(SeriesError) -> Part {
    let colon = text.firstIndex(of: ":")
    let name = text[..<(colon ?? text.endIndex)]
    switch name {
    case "time", "run":
      let pattern = try colon.map { colon throws(SeriesError) in
        try TimePattern(String(text[text.index(after: colon)...]), isPartial: true)
      }
      return name == "time" ? .time(pattern) : .run(pattern)
    case "Time" where colon == nil:
      return .time(try TimePattern(withoutZone, isPartial: true))
    case "DefaultTime" where colon == nil:
      return .run(try TimePattern(withoutZone, isPartial: true))
    case "layer" where colon == nil, "LayerName" where colon == nil: return .layer
    case "format" where colon == nil, "ImageFormat" where colon == nil: return .format
    case "timestep" where colon == nil, "Timestep" where colon == nil: return .timestep
    case "key" where colon == nil: return .key
    default:
      // The name could be a key put into braces by mistake, so it is not repeated.
      throw SeriesError(
        .badPattern,
        "the url template has an unknown placeholder; the ones there are: {layer} {format} {time} "
          + "{run} {timestep} {key}, and {time:PATTERN} and {run:PATTERN}.")
    }
  }

  /// Returns the address of one frame.
  ///
  /// - Throws: ``SeriesError`` if the template needs a run or a key, and there is none.
  func url(_ values: Values, secret: SeriesSecret?) throws(SeriesError) -> RedactedURL {
    var address = ""
    for part in parts {
      switch part {
      case .literal(let text): address += text
      case .layer: address += PercentEncoding.encode(values.layer)
      case .format: address += PercentEncoding.encode(values.format)
      case .time(let pattern): address += Self.encode(values.time, pattern)
      case .run(let pattern):
        guard let run = values.run else { throw Self.notForecast("{run}") }
        address += Self.encode(run, pattern)
      case .timestep:
        guard let timestep = values.timestep else { throw Self.notForecast("{timestep}") }
        address += PercentEncoding.encode(timestep)
      case .key:
        guard let secret else {
          throw SeriesError(
            .badPattern, "the url template has {key}, but no key is given; set 'key:'.")
        }
        address += secret.percentEncoded
      }
    }
    return RedactedURL(address, secret: secret)
  }

  private static func encode(_ time: FrameTime, _ pattern: TimePattern?) -> String {
    PercentEncoding.encode(pattern.map { $0.format(time) } ?? time.description)
  }

  private static func notForecast(_ placeholder: String) -> SeriesError {
    SeriesError(
      .badPattern,
      "the url template has \(placeholder), but the layer is no forecast; use {time} alone.")
  }
}
