import Features
import Ingest
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
  /// The number of values with a decimal comma, where the file is read with decimal points.
  private(set) var commas = 0
  private let decimal: CSVOptions.DecimalMark
  /// The number of values that look like geometries, by their form.
  private var geometries: [GeometryText.Form: Int] = [:]
  /// The first value that is a pair of coordinates, and the largest absolute values of both.
  private(set) var pair: (text: String, first: Double, second: Double)?
  /// The number of each record, `nil` where it has none, and the digits after all decimal marks.
  private(set) var degrees: [Double?] = []
  private var decimals = 0
  /// The axis that the letters of hemispheres tell.
  private(set) var axis: SexagesimalDegrees.Axis?
  /// The largest absolute value.
  private(set) var magnitude = 0.0

  init(
    name: String, place: Int, records: ArraySlice<[String]>,
    decimal: CSVOptions.DecimalMark = .point
  ) {
    self.decimal = decimal
    self.name = name
    self.place = place
    for record in records where record.indices.contains(place) {
      degrees.append(nil)
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
    let comma = TextTraits.isDecimalComma(text) ? DecimalComma.parse(text) : nil
    let angle = SexagesimalDegrees(text)
    axis = axis ?? angle?.axis
    let plain = NumberGrammar.parseCoordinate(text) ?? angle?.value
    guard let number = plain ?? comma else { return }
    degrees[degrees.count - 1] = number
    let mark = text.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    decimals += angle != nil ? Self.exact : mark.map { text.count - 1 - $0 } ?? 0
    if plain != nil || decimal == .comma { numbers += 1 } else { commas += 1 }
    magnitude = max(magnitude, abs(number))
    if number.rounded(.towardZero) != number { fractions += 1 }
  }

  /// Whether most values are numbers.
  var isNumeric: Bool { values > 0 && numbers * 5 >= values * 4 }
  var hasDecimalCommas: Bool { values > 0 && commas * 5 >= values * 4 }
  private var hasFractions: Bool { isMeasured && fractions * 2 >= numbers + commas }

  /// Whether the values may be coordinates of any kind.
  var isMeasured: Bool { values > 0 && (numbers + commas) * 5 >= values * 4 }

  /// Whether some of the coordinates in the column have a decimal comma, `46,9` beside `46.8`.
  var mixesDecimalMarks: Bool { isMeasured && commas > 0 && magnitude <= 180 }

  /// The number of decimals that coordinates have and few other numbers: about 100 m.
  static let exact = 3

  /// The decimals of a value on average, rounded up from a quarter below: programs drop zeros at the end.
  var averageDecimals: Int {
    let values = max(numbers + commas, 1)
    return (4 * decimals + values) / (4 * values)
  }

  /// Whether the values alone suggest longitudes or latitudes: decimals within the range.
  func looksLikeDegrees(limit: Double) -> Bool { hasFractions && magnitude <= limit }
}
