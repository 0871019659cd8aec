import Features
import JSON
import Raster
import Styling

/// The form of a legend as JSON, for clients that draw it themselves.
enum LegendForm {
  /// Returns the legend with a text alternative for people who cannot see the picture.
  ///
  /// - Parameter classes: the bounds of the classes of clusters by source; `nil` without classes.
  static func json(_ legend: Legend, classes: PropertyValue?, scale: Int) -> ReportJSON {
    let members: [ReportJSON.Member] = [
      .init("version", .integer(1)), .init("title", .string(legend.title)),
      .init("scale", .integer(scale)), .init("text", .string(text(legend))),
      .init("entries", .array(legend.entries.map { entry($0) })),
    ]
    return .object(members + (classes.map { [.init("classes", value($0))] } ?? []))
  }

  /// Returns the text alternative, such as `US hotels. Hotels by number of points: 1, 10, 100.`
  static func text(_ legend: Legend) -> String {
    let parts = legend.entries.map { entry -> String in
      let labels = entry.rows.map(\.label).joined(separator: ", ")
      guard let property = entry.property else {
        return labels == entry.title ? entry.title : "\(entry.title): \(labels)"
      }
      return "\(entry.title) by \(LegendWords.property(property)): \(labels)"
    }
    return ([legend.title] + parts).map { "\($0)." }.joined(separator: " ")
  }

  private static func entry(_ entry: LegendEntry) -> ReportJSON {
    .members([
      "title": .string(entry.title), "source": .string(entry.source),
      "layers": .array(entry.layers.map { .string($0) }),
      "property": entry.property.map { .string($0) } ?? .null,
      "rows": .array(
        entry.rows.map { row in
          .members([
            "label": .string(row.label), "value": row.value.map(value) ?? .null,
            "swatch": .array(row.swatch.map { swatch($0) }),
          ])
        }),
    ])
  }

  private static func value(_ value: PropertyValue) -> ReportJSON {
    switch value {
    case .bool(let flag): .bool(flag)
    case .number(let number): Int(exactly: number).map { .integer($0) } ?? .number(number)
    case .whole(let whole): .number(whole.double)
    case .string(let text): .string(text)
    case .null: .null
    case .array(let items): .array(items.map { Self.value($0) })
    case .object(let members): .object(members.map { .init($0.key, Self.value($0.value)) })
    }
  }

  private static func swatch(_ swatch: LegendSwatch) -> ReportJSON {
    switch swatch {
    case .circle(let look):
      .members([
        "type": .string("circle"), "radius": number(look.radius), "color": color(look.color),
        "strokeWidth": number(look.strokeWidth), "strokeColor": color(look.strokeColor),
        "blur": number(look.blur),
      ])
    case .fill(let fill): .members(["type": .string("fill"), "color": color(fill)])
    case .line(let line):
      .members([
        "type": .string("line"), "width": number(line.stroke.width), "color": color(line.color),
        "dashes": .array(line.stroke.dashes.map { number($0) }),
      ])
    case .icon(let icon):
      .members([
        "type": .string("icon"), "image": .string(icon.image.name),
        "width": number(icon.right - icon.left), "height": number(icon.bottom - icon.top),
        "color": icon.image.geometry.isSDF ? color(icon.color.faded(icon.opacity)) : .null,
      ])
    case .pattern(let pattern):
      .members(["type": .string("pattern"), "image": .string(pattern.image.name)])
    case .ramp(let colors):
      .members(["type": .string("ramp"), "colors": .array(colors.map { color($0) })])
    }
  }

  /// Formats a length to a thousandth of a pixel; a whole one without a point.
  private static func number(_ number: Double) -> ReportJSON {
    let rounded = (number * 1000).rounded() / 1000
    return Int(exactly: rounded).map { .integer($0) } ?? .number(rounded)
  }

  /// Formats a colour for CSS: `#ff5f2a`, or `rgba(…)` where it is not opaque.
  static func color(_ color: Color) -> ReportJSON {
    func step(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
    let channels = [color.red, color.green, color.blue].map(step)
    guard color.alpha < 1 else {
      let digits = channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return .string("#\(digits.joined())")
    }
    let alpha = (min(max(color.alpha, 0), 1) * 1000).rounded() / 1000
    return .string("rgba(\(channels.map { "\($0)" }.joined(separator: ", ")), \(alpha))")
  }
}
