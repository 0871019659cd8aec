package import Tiling

/// An address with placeholders for an area: `{west},{south},{east},{north}` in degrees, or
/// `{z}/{x}/{y}`.
package struct AddressTemplate: Hashable, Sendable {
  /// The names of placeholders.
  package static let names = ["west", "south", "east", "north", "z", "x", "y"]

  /// The parts of a template, in order.
  private enum Part: Hashable, Sendable {
    case text(String)
    case name(String)
  }

  private let parts: [Part]
  private let secrets: SecretValues

  /// The template as it may be shown, without secrets.
  package let uri: String

  /// Parses a template; an address without braces has no placeholders.
  ///
  /// - Throws: ``FetchError/Code/badAddress`` for an unknown name or an unclosed brace.
  package init(_ text: String, secrets: SecretValues = SecretValues()) throws(FetchError) {
    self.secrets = secrets
    uri = secrets.redact(text)
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      parts.append(.text(String(rest[..<open])))
      let inner = rest[rest.index(after: open)...]
      guard let close = inner.firstIndex(of: "}") else {
        throw FetchError(
          .badAddress, uri: uri, "'{' is never closed. Write '%7B' for the character.")
      }
      let name = String(inner[..<close])
      guard Self.names.contains(name) else {
        let known = Self.names.map { "{\($0)}" }.joined(separator: ", ")
        throw FetchError(
          .badAddress, uri: uri,
          "there is no placeholder '{\(secrets.redact(name))}'; there are \(known).")
      }
      parts.append(.name(name))
      rest = inner[inner.index(after: close)...]
    }
    parts.append(.text(String(rest)))
    self.parts = parts
  }

  /// Whether the address has placeholders.
  package var isTemplate: Bool { parts.count > 1 }

  /// Whether the address requests tiles, which need a zoom.
  package var needsZoom: Bool {
    parts.contains { $0 == .name("z") || $0 == .name("x") || $0 == .name("y") }
  }

  /// A request, with the area that it covers.
  package struct Request: Hashable, Sendable {
    package let resource: RemoteResource
    package let cell: TemplateCell
  }

  /// Returns the requests for an area: from north to south, in each row from west to east.
  ///
  /// - Parameters:
  ///   - area: in degrees; `west > east` crosses the antimeridian.
  ///   - limit: the maximum number of requests; more are refused.
  ///   - headers: the headers, as in ``RemoteResource``.
  /// - Complexity: O(requests).
  package func requests(
    over area: GeoBounds, cut: TemplateCut, limit: Int, kind: ContentKind,
    headers: [String: String] = [:]
  ) throws(FetchError) -> [Request] {
    if needsZoom {
      guard case .zoom = cut else {
        throw FetchError(
          .badAddress, uri: uri, "'{z}/{x}/{y}' needs to know the zoom of the tiles. Set 'zoom:'.")
      }
    }
    var requests: [Request] = []
    for cell in try cut.cells(of: area, limit: limit, uri: uri) {
      let resource = try RemoteResource(
        filled(cell), kind: kind, secrets: secrets, headers: headers)
      requests.append(Request(resource: resource, cell: cell))
    }
    return requests
  }

  /// Returns the address for a cell.
  private func filled(_ cell: TemplateCell) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .name("west"): DegreeText.text(DegreeText.steps(cell.bounds.west))
      case .name("south"): DegreeText.text(DegreeText.steps(cell.bounds.south))
      case .name("east"): DegreeText.text(DegreeText.steps(cell.bounds.east))
      case .name("north"): DegreeText.text(DegreeText.steps(cell.bounds.north))
      case .name("z"): cell.tile.map { "\($0.z)" } ?? ""
      case .name("x"): cell.tile.map { "\($0.x)" } ?? ""
      case .name("y"): cell.tile.map { "\($0.y)" } ?? ""
      case .name(let name): "{\(name)}"
      }
    }.joined()
  }
}
