/// Units of measure by the names that ECMA-402 sanctions, with their short English symbols.
enum Unit {
  /// Returns the number followed by the unit's symbol; `nil` for an unknown unit.
  static func append(_ unit: String, to number: String, isOne: Bool) -> String? {
    if let sign = tight[unit] { return number + sign }
    if let sign = spaced[unit] { return "\(number) \(sign)" }
    if let sign = countable[unit] { return "\(number) \(sign)\(isOne ? "" : "s")" }
    let parts = unit.split(separator: "-per-", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let (over, under) = (String(parts[0]), String(parts[1]))
    switch unit {
    case "mile-per-hour": return "\(number) mph"
    case "mile-per-gallon": return "\(number) mpg"
    default:
      guard let denominator = denominators[under] ?? spaced[under] else { return nil }
      return append(over, to: number, isOne: isOne).map { "\($0)/\(denominator)" }
    }
  }

  private static let tight = [
    "percent": "%", "celsius": "°C", "fahrenheit": "°F",
  ]

  private static let spaced = [
    "acre": "ac", "bit": "bit", "byte": "byte", "centimeter": "cm", "degree": "deg",
    "fluid-ounce": "fl oz", "foot": "ft", "gallon": "gal", "gigabit": "Gb", "gigabyte": "GB",
    "gram": "g", "hectare": "ha", "hour": "hr", "inch": "in", "kilobit": "kb", "kilobyte": "kB",
    "kilogram": "kg", "kilometer": "km", "liter": "L", "megabit": "Mb", "megabyte": "MB",
    "meter": "m", "mile": "mi", "mile-scandinavian": "smi", "milliliter": "mL",
    "millimeter": "mm", "millisecond": "ms", "minute": "min", "ounce": "oz", "petabyte": "PB",
    "pound": "lb", "second": "sec", "stone": "st", "terabit": "Tb", "terabyte": "TB",
    "yard": "yd",
  ]

  private static let countable = ["day": "day", "week": "wk", "month": "mth", "year": "yr"]

  private static let denominators = [
    "hour": "h", "second": "s", "minute": "min", "day": "d", "week": "w", "month": "m",
    "year": "y",
  ]
}
