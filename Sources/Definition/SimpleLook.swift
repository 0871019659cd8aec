import Expressions
import Runs

/// The look of features without a look of their own: constants or expressions with their places.
///
/// `nil` stands for the default of simplestyle.
package struct SimpleLook: Sendable {
  var fill: DocumentNode?
  var fillOpacity: DocumentNode?
  var stroke: DocumentNode?
  var strokeWidth: DocumentNode?
  var strokeOpacity: DocumentNode?
  var markerColor: DocumentNode?

  /// The radius of a point's disk in pixels.
  var markerRadius: DocumentNode?

  package init() {}

  /// The radii in pixels of simplestyle's sizes; Quadrille's choice, since the specification leaves
  /// them open.
  static let markerSizes: [(name: String, radius: Double)] = [
    ("small", 5), ("medium", 8), ("large", 11),
  ]
}

extension SimpleLook {
  /// Decodes the look of a `style` that passed ``KeyCheck``: an object of names, or a list of
  /// objects with `paint`, of which later ones win.
  ///
  /// - Throws: ``PipelineError`` with code `definition` for an invalid colour.
  init(style: DocumentNode) throws(PipelineError) {
    self.init()
    for paint in style.items?.compactMap({ $0["paint"] }) ?? [style] {
      for member in paint.members ?? [] { try take(member) }
    }
  }

  private mutating func take(_ member: DocumentMember) throws(PipelineError) {
    let node = member.node
    switch member.key {
    case "fill", "fill-color": fill = try Self.color(member)
    case "fill-opacity": fillOpacity = node
    case "stroke", "line-color": stroke = try Self.color(member)
    case "stroke-width", "line-width": strokeWidth = node
    case "stroke-opacity", "line-opacity": strokeOpacity = node
    case "marker-color", "icon-color", "circle-color": markerColor = try Self.color(member)
    case "circle-radius": markerRadius = node
    case "marker-size":
      let size = Self.markerSizes.first { $0.name == node.text }
      markerRadius = size.map { DocumentNode(.number($0.radius), at: node.place) }
    default: break
    }
  }

  /// Decodes a CSS colour, with or without `#`, or an expression.
  private static func color(_ member: DocumentMember) throws(PipelineError) -> DocumentNode {
    guard let text = member.node.text else { return member.node }
    for spelling in [text, "#\(text)"] where CSSColor.parse(spelling) != nil {
      return DocumentNode(.string(spelling), at: member.node.place)
    }
    throw member.node.place.fault(
      "'\(member.key)' needs a CSS colour, but this is \(member.node.words); "
        + "\(ColorAdvice.remedy(for: member.node.propertyValue)).")
  }
}
