import Features
import Ingest
import OrderedCollections
import Tiling

// Findings from the range of the coordinates about their order and unit.
extension Diagnosis {
  /// Half the width of the world in metres of Web Mercator.
  private static let mercatorLimit = 20_037_508.5
  private static let mercator = "EPSG:3857"

  private var positions: CoordinateProfile { examination.coordinates }

  mutating func addCoordinateFindings() {
    guard positions.count > 0 else { return }
    addSwapped()
    if !found(.swappedCoordinates) {
      addGuessedOrder()
      addPairOrder()
      addUnits()
    }
    let isOdd = found(.swappedCoordinates, .metres, .scaledDegrees, .radians)
    if !isOdd {
      addNullIsland()
      addBeyond180()
      addWhole()
    }
  }

  /// The largest absolute values of all first and second ordinates.
  private var width: Double { max(abs(positions.box.minX), abs(positions.box.maxX)) }
  private var height: Double { max(abs(positions.box.minY), abs(positions.box.maxY)) }

  // MARK: Order

  private mutating func addSwapped() {
    // Longitudes beyond ±90° cannot be latitudes, whatever the name of their column.
    let isNamedSwapped = width <= 90 && isNamedSwapped
    // Beyond the poles, and valid when exchanged: nearly all of them, and none that would then be
    // beyond the poles.
    let beyond = positions.beyondPoles.count
    let isBeyond =
      beyond > 0 && positions.fitSwapped * 10 >= beyond * 9
      && beyond * 50 >= positions.count && positions.beyondLongitude.count * 100 <= positions.count
      && (width <= 90 || positions.fitSwapped * 2 > positions.count)
    guard isNamedSwapped || isBeyond else { return addPartlySwapped() }
    let reason =
      isBeyond
      ? "\(beyond) of \(positions.count) latitudes are beyond ±90° and would be places as longitudes"
      : "the column of 'x' is named like a latitude, that of 'y' like a longitude"
    var finding = Finding(
      .swappedCoordinates, "Longitude and latitude seem to be exchanged: \(reason).",
      count: isBeyond ? beyond : positions.count, samples: positions.beyondPoles.samples)
    if let geometry = subject.csvOptions?.geometry, let pair {
      let order = CoordinatePair(pair)?.order(known: geometry.knownOrder).other ?? .lnglat
      finding.settings = [
        Setting(
          "geometry",
          .object(["column": .string(geometry.name), "order": .string(order.rawValue)]))
      ]
    } else if let (x, y) = coordinateNames ?? subject.columns {
      finding.settings = [Setting("x", .string(y)), Setting("y", .string(x))]
    } else {
      finding.advice = Self.duckDB("* REPLACE (ST_FlipCoordinates(geom) AS geom)", of: subject.file)
    }
    add(finding)
  }

  /// Adds a finding where only some records are swapped: those off the map lie among the others if
  /// their ordinates are exchanged.
  private mutating func addPartlySwapped() {
    let lost = positions.beyondMap
    let (among, strays) = (positions.onMap, positions.offMap)
    let (width, height) = (among.maxX - among.minX, among.maxY - among.minY)
    let near = Box(
      minX: among.minX - width, minY: among.minY - height, maxX: among.maxX + width,
      maxY: among.maxY + height)
    guard lost.count > 0, lost.count * 2 < positions.count, lost.count < positions.count - 10,
      positions.beyondLongitude.count == 0,
      // Within a box of the whole world everything lies among the rest.
      width < 60, height < 60,
      near.contains(
        Box(minX: strays.minY, minY: strays.minX, maxX: strays.maxY, maxY: strays.maxX))
    else { return }
    add(
      Finding(
        .swappedCoordinates,
        "Longitude and latitude seem to be exchanged in \(lost.count) of \(positions.count) "
          + "positions: the other way round they are among the rest.", count: lost.count,
        samples: lost.samples, settings: held > 0 ? [toleratingAll] : [],
        advice: (held > 0 ? "That leaves them out; exchange" : "Exchange")
          + " their numbers in the file to keep them."))
  }

  /// The names of the columns that are read as longitude and latitude.
  var coordinateNames: (x: String, y: String)? {
    guard let options = subject.csvOptions, options.hasGeometry, options.geometry == nil else {
      return nil
    }
    let all = options.columns ?? names
    func column(_ name: String?, _ known: [String]) -> String? {
      if let name { return name }
      return known.lazy.compactMap { candidate in
        all.first { $0.lowercased() == candidate }
      }.first
    }
    guard let x = column(options.x, CSVOptions.longitudeNames),
      let y = column(options.y, CSVOptions.latitudeNames)
    else { return nil }
    return (x, y)
  }

  private var isNamedSwapped: Bool {
    (coordinateNames ?? subject.columns).map { CoordinateName.areExchanged(x: $0.x, y: $0.y) }
      ?? false
  }

  /// Adds a hint where neither the names of two columns nor their range tells which is the longitude,
  /// or where most places lie in the sea, but on land if the names were exchanged.
  private mutating func addGuessedOrder() {
    guard let (x, y) = subject.columns ?? coordinateNames, width <= 90, height <= 90 else { return }
    let order = positions.order
    let isSaid = CoordinateName.tell(x: x, y: y)
    guard !isSaid || order.isMany && order.verdict == .exchanged else { return }
    let (read, exchanged) = ("\(order.asRead) of \(order.count)", "\(order.exchanged)")
    var finding = Finding(
      .guessedOrder,
      "'\(x)' is read as the longitude and '\(y)' as the latitude, "
        + (isSaid ? "as their names say, but so " : "which their names do not say: so ")
        + "\(read) positions lie on land, exchanged \(exchanged).", count: positions.count)
    if order.verdict == .exchanged, !isSaid {
      finding.settings = [Setting("x", .string(y)), Setting("y", .string(x))]
    } else {
      finding.advice = "If the map is wrong, exchange 'x' and 'y'."
    }
    add(finding)
  }

  /// Says how two numbers in a column of geometries were read, where the pipeline does not.
  private mutating func addPairOrder() {
    guard let pair, let geometry = subject.csvOptions?.geometry, geometry.order == nil,
      let value = CoordinatePair(pair), value.order == nil
    else { return }
    let order = value.order(known: geometry.knownOrder)
    let (first, second) = order == .latlng ? ("latitude", "longitude") : ("longitude", "latitude")
    add(
      Finding(
        .pairOrder,
        "'\(pair)' in column '\(geometry.name)' is read as \(first) "
          + "\(CoordinateProfile.text(value.first)), \(second) \(CoordinateProfile.text(value.second)).",
        advice: "For the other order set 'geometry: {column: \(geometry.name), order: "
          + "\(order.other.rawValue)}'."))
  }

  // MARK: Units

  private mutating func addUnits() {
    let isOutside = positions.outside * 10 >= positions.count * 9
    let fractions = positions.count - positions.whole
    if isOutside, let power = scale {
      add(scaled(power))
    } else if isOutside {
      add(metres)
    } else if width <= .pi, height <= .pi / 2, positions.count >= 10,
      fractions * 10 >= positions.count * 9, positions.nearZero.count * 2 < positions.count
    {
      add(radians)
    }
  }

  /// The power of ten that turns whole numbers into degrees, if they do not fit as metres.
  private var scale: Int? {
    guard positions.whole == positions.count, max(width, height) > Self.mercatorLimit else {
      return nil
    }
    if width <= 180e6, height <= 90e6 { return 6 }
    return width <= 180e7 && height <= 90e7 ? 7 : nil
  }

  private func scaled(_ power: Int) -> Finding {
    var finding = Finding(
      .scaledDegrees,
      "The coordinates are whole numbers of up to \(CoordinateProfile.text(max(width, height))): "
        + "probably degrees times 10^\(power).", count: positions.count,
      samples: positions.beyondLongitude.count > 0
        ? positions.beyondLongitude.samples : positions.beyondPoles.samples)
    if let (x, y) = coordinateNames {
      finding.advice =
        "duckdb -c \"COPY (SELECT * REPLACE (\(Self.quoted(x)) / 1e\(power) AS \(Self.quoted(x)), "
        + "\(Self.quoted(y)) / 1e\(power) AS \(Self.quoted(y))) FROM '\(subject.file)') "
        + "TO 'degrees.csv'\""
    } else {
      finding.advice = "Divide them by 1e\(power)."
    }
    return finding
  }

  private var metres: Finding {
    let fits = width <= Self.mercatorLimit && height <= Self.mercatorLimit
    var finding = Finding(
      .metres,
      fits
        ? "The coordinates seem to be metres of a projection, not degrees: Web Mercator "
          + "(\(Self.mercator)) extends to 20,037,508, national grids are smaller."
        : "The coordinates are not degrees, and too large for metres of Web Mercator.",
      count: positions.outside,
      samples: positions.beyondLongitude.count > 0
        ? positions.beyondLongitude.samples : positions.beyondPoles.samples)
    finding.advice =
      "Name the projection with 'crs:', such as 'crs: \(Self.mercator)' or 'crs: EPSG:25832'."
    return finding
  }

  private var radians: Finding {
    var finding = Finding(
      .radians,
      "All \(positions.count) positions are within ±π and ±π/2: probably radians, since in degrees "
        + "that is the sea off Africa.", count: positions.count)
    if let (x, y) = coordinateNames {
      finding.advice =
        "duckdb -c \"COPY (SELECT * REPLACE (degrees(\(Self.quoted(x))) AS \(Self.quoted(x)), "
        + "degrees(\(Self.quoted(y))) AS \(Self.quoted(y))) FROM '\(subject.file)') "
        + "TO 'degrees.csv'\""
    } else {
      finding.advice = Self.duckDB(
        "* REPLACE (ST_Affine(geom, 180/pi(), 0, 0, 180/pi(), 0, 0) AS geom)", of: subject.file)
    }
    return finding
  }

  // MARK: Suspicious positions

  private mutating func addNullIsland() {
    let count = positions.nearZero.count
    // Lines and areas may well cross that place.
    guard examination.shapes.families[1...].allSatisfy({ $0 == 0 }) else { return }
    guard count > 0, count * 2 < positions.count || positions.count >= 20 else { return }
    let exact = positions.atZero == count ? "at" : "within 0.01° of"
    add(
      Finding(
        .nullIsland,
        "\(Self.part(count, of: positions.count, "position")) "
          + "\(count == 1 ? "lies" : "lie") \(exact) longitude 0, latitude 0, where there is only "
          + "sea.", count: count, samples: positions.nearZero.samples,
        settings: [
          condition("geometry IS NULL OR S_DISJOINT(geometry, BBOX(-0.01, -0.01, 0.01, 0.01))")
        ]))
  }

  private mutating func addBeyond180() {
    let beyond = positions.beyondLongitude
    guard beyond.count > 0, width <= 540, positions.beyondPoles.count == 0 else { return }
    add(
      Finding(
        .longitudeBeyond180,
        "\(Self.part(beyond.count, of: positions.count, "position")) "
          + "\(beyond.count == 1 ? "has a longitude" : "have longitudes") beyond ±180°.",
        count: beyond.count, samples: beyond.samples,
        advice: "They are wrapped around the world, as 190° is -170°."))
  }

  private mutating func addWhole() {
    guard positions.whole == positions.count, positions.count >= 20,
      positions.nearZero.count * 2 < positions.count
    else { return }
    add(
      Finding(
        .wholeDegrees,
        "All \(positions.count) positions are whole degrees: they are accurate to about 100 km.",
        count: positions.count))
  }

  /// Returns `where` with one more condition.
  func condition(_ text: String) -> Setting {
    Setting("where", .string(subject.condition.map { "(\($0)) AND (\(text))" } ?? text))
  }

  private static func quoted(_ name: String) -> String {
    "\\\"\(name.replacing("\"", with: "\\\"\\\""))\\\""
  }

  private static func duckDB(_ columns: String, of file: String) -> String {
    "duckdb -c \"INSTALL spatial; LOAD spatial; COPY (SELECT \(columns) FROM ST_Read('\(file)')) "
      + "TO 'mended.geojson' (FORMAT gdal, DRIVER 'GeoJSON')\""
  }
}

extension CoordinateProfile {
  /// Whether a position lies at or near longitude 0, latitude 0.
  static func isNearZero(_ position: LngLat) -> Bool {
    abs(position.longitude) <= zeroDistance && abs(position.latitude) <= zeroDistance
  }
}
