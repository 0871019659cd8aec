/// The date of an HTTP header, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// Returns the seconds since 1970, or `nil` if the text is not in the form that servers must
  /// send.
  package static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
      let month = CivilCalendar.monthNames.firstIndex(of: String(parts[2])),
      let year = Int(parts[3]), (1...31).contains(day), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2])
    else { return nil }
    let days = Int64(CivilCalendar.dayNumber(year: year, month: month + 1, day: day))
    return ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
  }
}
