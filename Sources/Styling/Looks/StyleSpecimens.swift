import Expressions
import Features
package import Raster

/// A stack of looks that a style's layers can show, known before the data is read.
package struct StyleSpecimen {
  package let stack: LookStack

  /// The expected frequency, relative to the other specimens.
  package let weight: Int
}

extension Style {
  /// The counts that clustered sources are tried with, each with its expected frequency: most
  /// symbols of a deep pyramid represent one or two points.
  private static let counts: [(count: Int, weight: Int)] = [
    (1, 300), (2, 60), (3, 40), (4, 20), (5, 12), (6, 10), (7, 8), (8, 8), (9, 6), (10, 6),
    (12, 5), (15, 4), (20, 4), (25, 3), (34, 3), (50, 2), (68, 2), (100, 2), (179, 2), (250, 1),
    (500, 1), (999, 1), (1_234, 1), (5_678, 1), (12_345, 1), (87_000, 1), (1_000_000, 1),
  ]

  /// The maximum number of specimens; each takes about 50 µs to draw.
  private static let specimenLimit = 160

  /// Returns stacks that the layers can show: for clustered sources a series of counts and, for
  /// single points, the values that the style compares properties with.
  ///
  /// - Throws: ``FontError`` if a font cannot be loaded.
  package func specimens(
    zooms: ClosedRange<Int>, clusteredSources: Set<String>, scale: Int = 1, fonts: FontLibrary
  ) throws -> [StyleSpecimen] {
    var table = LookTable()
    var weights: [Int] = [0]
    let shaper = TextShaper(fonts: fonts)
    let images = images.images(scale: scale)
    let middle = (zooms.lowerBound + zooms.upperBound) / 2
    for zoom in Set([zooms.upperBound, middle, zooms.lowerBound]).sorted(by: >) {
      for source in sources {
        var lists = 0
        let group = layers(of: source).filter {
          layers[$0].kind.isSymbolic && layers[$0].shows(at: Double(zoom))
        }.map {
          LookResolver(
            layers[$0], index: $0, zoom: Double(zoom), shaper: shaper, images: images,
            nextList: &lists)
        }
        for (values, weight) in specimenFeatures(
          of: source, isClustered: clusteredSources.contains(source))
        where table.stacks.count < Self.specimenLimit {
          let number = Int(table.number(of: try group.stack(of: SpecimenFeature(values))))
          if number == weights.count { weights.append(0) }
          weights[number] = max(weights[number], weight)
        }
      }
    }
    // Number 0 is the empty stack.
    return zip(table.stacks, weights).dropFirst().map { StyleSpecimen(stack: $0, weight: $1) }
  }

  /// Returns the property values of specimen features, the most likely first.
  private func specimenFeatures(
    of source: String, isClustered: Bool
  ) -> [(values: [String: PropertyValue], weight: Int)] {
    var features: [(values: [String: PropertyValue], weight: Int)] = [([:], 300)]
    let expressions = layers(of: source).flatMap { layers[$0].allSpecimens }
    for (name, value) in expressions { features.append(([name: value], 20)) }
    for values in layers(of: source).flatMap({ layers[$0].sliceSpecimens }) {
      // A chart may show clusters only.
      let cluster = isClustered ? SpecimenFeature.properties(ofCluster: 2) : [:]
      features.append((values.merging(cluster) { value, _ in value }, 20))
    }
    guard isClustered else { return features }
    for (count, weight) in Self.counts where count > 1 {
      features.append((SpecimenFeature.properties(ofCluster: count), weight))
    }
    return features
  }
}

extension StyleLayer {
  /// Maximum number of slices of which each is paired with each other; above, with the next only.
  private static let pairedSlices = 6

  /// Values for charts with one slice, with two slices, and with all slices, for the colours where
  /// two meet.
  fileprivate var sliceSpecimens: [[String: PropertyValue]] {
    let slices = properties[.chartSlices]?.sliceProperties ?? []
    func values(_ indices: [Int]) -> [String: PropertyValue] {
      let names = indices.flatMap { slices[$0] }
      return Dictionary(names.map { ($0, .number(1)) }) { value, _ in value }
    }
    let pairs = slices.indices.flatMap { first in
      let others = (first + 1)..<max(slices.count, first + 1)
      return (slices.count > Self.pairedSlices ? others.prefix(1) : others).map { [first, $0] }
    }
    return (slices.indices.map { [$0] } + pairs + [Array(slices.indices)]).map(values)
      .filter { !$0.isEmpty }
  }

  /// Every property with every value that the layer compares it with, in a fixed order.
  fileprivate var allSpecimens: [(String, PropertyValue)] {
    let maps = [filter?.specimens ?? [:]] + orderedExpressions.map(\.specimens)
    return maps.flatMap { map in
      map.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }
  }
}
