/// The notation of instants in GeoPackage.
package enum UTCText {
  /// Returns a text such as `1970-01-01T00:00:00.000Z`; seconds outside the years 0 to 9999 are
  /// clamped.
  package static func text(secondsSince1970 seconds: Int, milliseconds: Int = 0) -> String {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let fields = CalendarFields(seconds: Int64(seconds))
    let fraction = CivilCalendar.padded(min(max(milliseconds, 0), 999), to: 3)
    return "\(fields.dateText)T\(fields.clockText).\(fraction)Z"
  }
}
