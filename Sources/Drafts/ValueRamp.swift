import Features
import GDAL
import Platform

/// The colours of an image's numbers, by what they measure.
struct ValueRamp {
  /// The value of `colorRamp`.
  let value: PropertyValue

  /// The colours in words: `colours of temperatures in K, from 230 to 310`.
  let words: String

  /// - Parameter source: the name of the source, which may say what a file does not.
  init(_ values: RasterConversion.Values, source: String) {
    self.init(values.range, unit: values.unit, name: "\(values.name) \(source)")
  }

  /// - Parameters:
  ///   - unit: the unit of the values as files write it; may be empty.
  ///   - name: the words for what is measured.
  init(_ range: ClosedRange<Double>, unit: String, name: String) {
    let measure = Self.measure(unit: unit, name: name)
    let limits = Self.limits(range)
    let colors = DraftPalette.ramp(of: measure)
    let width = limits.upperBound - limits.lowerBound
    value = .array(
      colors.enumerated().map { index, color in
        let exact = limits.lowerBound + width * Double(index) / Double(colors.count - 1)
        // Half a hundredth of the range does not show.
        let reach = index == 0 || index == colors.count - 1 ? 0 : width / 200
        return .array([
          .number(ClassBreaks.round(exact, low: exact - reach, high: exact + reach)),
          .string(color),
        ])
      })
    let subject =
      switch measure {
      case .temperature: "temperatures"
      case .rain: "rain"
      case .height: "heights"
      case .amount, .magnitude, .change, .level: "values"
      }
    let inUnit = unit.isEmpty || unit == "1" ? "" : " in \(unit)"
    words =
      "colours of \(subject)\(inUnit), from \(Self.text(limits.lowerBound)) to "
      + "\(Self.text(limits.upperBound))"
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// Returns the range with ends of few digits, not more than a fiftieth of its width inward or
  /// outward.
  private static func limits(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let reach = (range.upperBound - range.lowerBound) / 50
    func rounded(_ value: Double) -> Double {
      ClassBreaks.round(value, low: value - reach, high: value + reach)
    }
    let (low, high) = (rounded(range.lowerBound), rounded(range.upperBound))
    return low < high ? low...high : range
  }

  /// The units of temperatures and of rain, as files of GRIB and NetCDF write them, in lower case.
  private static let temperatures: Set = [
    "k", "c", "°c", "degc", "deg_c", "deg c", "celsius", "degrees celsius", "degree_celsius",
    "kelvin", "f", "°f", "degf", "fahrenheit",
  ]
  private static let rains: Set = [
    "mm", "mm/h", "mm h-1", "mm/hr", "mm/day", "mm d-1", "kg m-2", "kg/(m^2)", "kg/m^2",
    "kg m**-2", "kg m-2 s-1", "kg/(m^2 s)", "kg m**-2 s**-1",
  ]
  private static let lengths: Set = [
    "m", "metre", "meter", "metres", "meters", "ft", "feet", "us survey foot",
  ]

  /// The words of variables that the names of columns do not have.
  private static let variables: [(words: Set<String>, measure: ColumnWords.Measure)] = [
    (
      ["tmp", "t2m", "2t", "tas", "tasmax", "tasmin", "air_temperature", "skt", "lst"], .temperature
    ),
    (["tp", "apcp", "prate", "pr", "rr", "lwe", "radar", "reflectivity"], .rain),
    (
      [
        "dem", "dtm", "dsm", "srtm", "terrain", "topo", "topography", "relief", "hgt", "gebco",
        "heights", "elevations",
      ],
      .height
    ),
  ]

  private static func measure(unit: String, name: String) -> ColumnWords.Measure {
    let words = ColumnWords(name)
    let known = variables.first { !$0.words.isDisjoint(with: words.words) }?.measure
    let unit = unit.lowercased()
    if temperatures.contains(unit) { return .temperature }
    if let found = known ?? words.measure?.kind { return found }
    if rains.contains(unit) { return .rain }
    return lengths.contains(unit) ? .height : .level
  }
}
