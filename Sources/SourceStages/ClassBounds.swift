package import Clustering
package import Definition
package import Features
import Ingest
package import JSON
import MBTiles
import OrderedCollections

/// The bounds of the classes of clusters, as archives and legends have them.
package enum ClassBounds {
  /// The key of an archive's metadata.
  package static let key = ArchiveMetadata.prefix + "classes"

  /// Returns the value of the metadata; `nil` without classes.
  package static func parsed(_ text: String?) -> PropertyValue? {
    text.flatMap { try? JSONValueParser.parse(Array($0.utf8)) }
  }

  /// Returns the bounds by source and zoom: the least value, then the upper bound of each class.
  package static func bySource(_ classes: PropertyValue?) -> [String: [Int: [Double]]] {
    guard case .object(let sources)? = classes else { return [:] }
    var bounds: [String: [Int: [Double]]] = [:]
    for (name, source) in sources {
      guard case .object(let members) = source, case .array(let zooms)? = members["zooms"] else {
        continue
      }
      for case .object(let zoom) in zooms {
        guard let number = zoom["zoom"]?.double.flatMap({ Int(exactly: $0) }),
          case .array(let values)? = zoom["bounds"]
        else { continue }
        bounds[name, default: [:]][number] = values.compactMap(\.double)
      }
    }
    return bounds
  }
}

extension [ClusteredSource] {
  /// The bounds of the classes of all sources as JSON; `nil` if none has classes.
  package var classes: ReportJSON? {
    let members = compactMap { source -> ReportJSON.Member? in
      guard let classes = source.source.definition.records?.cluster?.classes else { return nil }
      return .init(
        source.source.definition.name,
        .members([
          "property": .string(classes.property), "method": .string(classes.method.rawValue),
          "zooms": .array(
            source.classBreaks.map { zoom, breaks in
              .members([
                "zoom": .integer(zoom),
                "bounds": .array(([breaks.minimum] + breaks.uppers).map { .number($0) }),
              ])
            }),
        ]))
    }
    return members.isEmpty ? nil : .object(members)
  }
}

extension ClassBreaks.Method {
  /// Creates the method of a definition.
  package init(_ method: ClassDefinition.Method) {
    self =
      switch method {
      case .jenks: .jenks
      case .quantile: .quantile
      case .log: .log
      case .equal: .equal
      }
  }
}
