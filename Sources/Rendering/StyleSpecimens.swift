import Expressions
import Features
import Raster

extension SparseStyle {
  /// Counts with which clustered sources are tried, each with how often it is to be expected: most
  /// symbols of a deep pyramid stand for one or two points.
  private static let counts: [(count: Int, weight: Int)] = [
    (1, 300), (2, 60), (3, 40), (4, 20), (5, 12), (6, 10), (7, 8), (8, 8), (9, 6), (10, 6),
    (12, 5), (15, 4), (20, 4), (25, 3), (34, 3), (50, 2), (68, 2), (100, 2), (179, 2), (250, 1),
    (500, 1), (999, 1), (1_234, 1), (5_678, 1), (12_345, 1), (87_000, 1), (1_000_000, 1),
  ]

  /// Stacks that are drawn for training, at most; each costs some 50 µs.
  private static let limit = 160

  /// The sparse style of a style, from specimens of what its layers can show: a series of counts
  /// for clustered sources and, for single points, the values that the style compares properties
  /// with.
  static func trained(
    for style: Style, size: Int, background: UInt32, zooms: ClosedRange<Int>,
    clusteredSources: Set<String>, fonts: FontLibrary, factory: SpriteFactory
  ) throws -> SparseStyle? {
    var table = LookTable()
    var weights: [Int] = [0]
    let shaper = TextShaper(fonts: fonts)
    let middle = (zooms.lowerBound + zooms.upperBound) / 2
    for zoom in Set([zooms.upperBound, middle, zooms.lowerBound]).sorted(by: >) {
      for source in style.sources {
        var lists = 0
        let group = style.layers(of: source).filter {
          style.layers[$0].kind.isSymbolic && style.layers[$0].shows(at: zoom)
        }.map {
          LookResolver(
            style.layers[$0], index: $0, zoom: zoom, shaper: shaper, nextList: &lists)
        }
        for (values, weight) in features(
          of: style, source: source, isClustered: clusteredSources.contains(source))
        where table.stacks.count < limit {
          let stack = try SymbolResolver.stack(of: SpecimenFeature(values), group)
          let number = Int(table.number(of: stack))
          if number == weights.count { weights.append(0) }
          weights[number] = max(weights[number], weight)
        }
      }
    }
    let specimens = try zip(table.stacks.indices, weights).dropFirst().compactMap {
      number, weight -> (sprite: StackSprite, weight: Int)? in
      // Vast symbols are not written in palette indexes sprite by sprite.
      guard try factory.vastBox(of: table.stacks[number], phaseX: 0, phaseY: 0) == nil else {
        return nil
      }
      let sprite = try factory.sprite(
        of: table.stacks[number], hash: table.hashes[number], phaseX: 0, phaseY: 0)
      return (sprite: sprite, weight: weight)
    }
    let visible = specimens.filter { !$0.sprite.composite.isEmpty }
    guard !visible.isEmpty else { return nil }
    return SparseStyle(size: size, background: background, specimens: visible)
  }

  /// Property values of specimen features, the likeliest first.
  private static func features(of style: Style, source: String, isClustered: Bool)
    -> [(values: [String: PropertyValue], weight: Int)]
  {
    var features: [(values: [String: PropertyValue], weight: Int)] = [([:], 300)]
    let expressions = style.layers(of: source).flatMap { style.layers[$0].allSpecimens }
    for (name, value) in expressions { features.append(([name: value], 20)) }
    guard isClustered else { return features }
    for (count, weight) in counts where count > 1 {
      let values: [String: PropertyValue] = [
        "cluster": .bool(true), "point_count": .number(Double(count)),
        "point_count_abbreviated": FeatureView.abbreviated(count),
      ]
      features.append((values, weight))
    }
    return features
  }
}

extension StyleLayer {
  /// Every property with every value that the layer compares it with, in a fixed order.
  fileprivate var allSpecimens: [(String, PropertyValue)] {
    let maps = [filter?.specimens ?? [:]] + orderedExpressions.map(\.specimens)
    return maps.flatMap { map in
      map.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }
  }
}

extension Style {
  /// The ids of the sources that layers use, in the order of first use.
  package var sources: [String] {
    var ids: [String] = []
    for layer in layers {
      if let id = layer.source, !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}
