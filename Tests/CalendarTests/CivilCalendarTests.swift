import Calendar
import Platform
import Testing

@Suite struct CivilCalendarTests {
  @Test("every day of the years 0 to 9999 has one number and one date")
  func days() {
    var number = CivilCalendar.dayNumber(year: 0, month: 1, day: 1)
    #expect(number == -719_528)
    for year in 0...9999 {
      let first = number
      for month in 1...12 {
        for day in 1...CivilCalendar.days(of: month, in: year) {
          let date = CivilCalendar.date(ofDay: number)
          guard CivilCalendar.dayNumber(year: year, month: month, day: day) == number,
            date == (year, month, day)
          else {
            Issue.record("\(year)-\(month)-\(day) is \(number), which is \(date)")
            return
          }
          number += 1
        }
      }
      #expect(number - first == CivilCalendar.days(in: year))
    }
    #expect(number == 2_932_897)
  }

  @Test("fields agree with the system's calendar over all years")
  func system() {
    for step in 0..<5000 {
      let seconds = Int64(step) * 63_107_579 - 62_135_596_800
      var own = time_t(seconds)
      var parts = tm()
      gmtime_r(&own, &parts)
      let fields = CalendarFields(seconds: seconds)
      #expect(
        [fields.year, fields.month, fields.day, fields.hour, fields.minute, fields.second]
          == [
            Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday),
            Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec),
          ])
      #expect(fields.seconds == seconds)
      #expect(fields.dayOfYear == Int(parts.tm_yday) + 1)
      let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
      #expect(CivilCalendar.weekday(ofDay: fields.dayNumber) == weekdays[Int(parts.tm_wday)])
      var same = fields
      same.month = 1
      same.day = 1
      same.setDay(ofYear: fields.dayOfYear)
      #expect(same == fields)
    }
  }
}
