import Features
import JSON

/// One column of a ``TableHead``: what its name and values suggest about coordinates.
package struct TableColumn {
  let name: String
  /// The column's position in the record, from 0.
  let place: Int
  /// The number of values that are not empty.
  private(set) var values = 0
  /// The number of values that are coordinates by the grammar, and of those with decimals.
  private(set) var numbers = 0
  private(set) var fractions = 0
  /// The number of values with a decimal comma.
  private(set) var commas = 0
  /// The number of values that look like geometries, by their form.
  private var geometries: [GeometryText.Form: Int] = [:]
  /// The first value that is a pair of coordinates, and the largest absolute values of both.
  private(set) var pair: (text: String, first: Double, second: Double)?
  /// The largest absolute value.
  private(set) var magnitude = 0.0

  init(name: String, place: Int, records: ArraySlice<[String]>) {
    self.name = name
    self.place = place
    for record in records where record.indices.contains(place) {
      var text = record[place]
      if text.isEmpty { continue }
      values += 1
      text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
      if let form = GeometryText.Form(likely: record[place]) {
        geometries[form, default: 0] += 1
        if form == .pair { add(pair: record[place]) }
      }
    }
  }

  private mutating func add(pair text: String) {
    guard let value = CoordinatePair(text) else { return }
    pair = (
      pair?.text ?? text, max(abs(value.first), pair?.first ?? 0),
      max(abs(value.second), pair?.second ?? 0)
    )
  }

  /// The form in which most values are geometries; `nil` if they are not.
  var geometryForm: GeometryText.Form? {
    geometries.first { $0.value * 5 >= values * 4 }?.key
  }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    if let number = NumberGrammar.parseCoordinate(text) ?? SexagesimalDegrees(text)?.value {
      numbers += 1
      magnitude = max(magnitude, abs(number))
      if number.rounded(.towardZero) != number { fractions += 1 }
    } else if TextTraits.isDecimalComma(text) {
      commas += 1
    }
  }

  /// Whether most values are numbers.
  var isNumeric: Bool { values > 0 && numbers * 5 >= values * 4 }
  var hasDecimalCommas: Bool { values > 0 && commas * 5 >= values * 4 }
  private var hasFractions: Bool { isNumeric && fractions * 2 >= numbers }

  /// Whether the values may be coordinates of any kind.
  private var isMeasured: Bool { isNumeric || hasDecimalCommas }

  /// Returns a score for the column as longitude or latitude; 0 if it cannot be.
  func score(isLongitude: Bool) -> Int {
    let words = Self.words(of: name)
    let known = isLongitude ? CSVOptions.longitudeNames : CSVOptions.latitudeNames
    let long = Self.names(isLongitude: isLongitude)
    let short = isLongitude ? "lon" : "lat"
    let axis = isLongitude ? ["easting", "xcoord", "lngdd"] : ["northing", "ycoord"]
    guard isMeasured else { return 0 }
    if known.contains(name.lowercased()) { return 5 }
    if words.contains(where: { known.contains($0) && $0.count > 1 }) { return 4 }
    if long.contains(where: name.lowercased().contains) { return 3 }
    if words.contains(where: { known.contains($0) || axis.contains($0) }) { return 2 }
    return words.contains { $0.hasPrefix(short) && $0.count <= 6 } ? 1 : 0
  }

  /// Returns words for longitude or latitude in several languages that may be part of a name.
  private static func names(isLongitude: Bool) -> [String] {
    isLongitude
      ? ["longitud", "längengrad", "laengengrad", "lengtegraad", "longitudine"]
      : ["latitud", "breitengrad", "breedtegraad", "latitudine"]
  }

  /// Whether the values alone suggest longitudes or latitudes: decimals within the range.
  func looksLikeDegrees(limit: Double) -> Bool { hasFractions && magnitude <= limit }

  /// Returns the words of a name in lower case: pickup, lon and deg for `pickupLon_deg`.
  package static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isAfterSmall = false
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      let isCapital = scalar.properties.isUppercase
      if !isLetter || (isCapital && isAfterSmall) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isLetter { word.unicodeScalars.append(scalar) }
      isAfterSmall = isLetter && !isCapital
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
