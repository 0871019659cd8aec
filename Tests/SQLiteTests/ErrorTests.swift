import Testing

@testable import SQLite

@Suite("An error of SQLite")
struct SQLiteErrorTests {
  @Test(
    "an SQLite error is found in a line of a check about a page that the system failed to deliver",
    arguments: [
      ("Tree 5 page 7: unable to get the page. error code=266", 266),
      ("*** in database main ***\nTree 5 page 7: unable to get the page. error code=10", 10),
      ("Tree 5 page 7: unable to get the page. error code=7", 7),
      ("Tree 5 page 7 cell 0: failed to get page 9", 10),
      ("Tree 5 page 7: btreeInitPage() returns error code 11", nil),
      ("Tree 5 page 7: unable to get the page. error code=11", nil),
      ("row 3 missing from index tiles_index", nil), ("error code=", nil), ("ok", nil),
    ] as [(String, Int32?)])
  func unreadablePage(line: String, code: Int32?) {
    let error = SQLiteError(unreadablePageIn: line)
    #expect(error?.extendedCode == code)
    #expect(error?.isUnreadable ?? true)
    #expect(error?.message.contains("\n") != true)
  }

  @Test("an SQLite error has its statement in one line")
  func line() {
    let error = SQLiteError(code: 1, message: "why", sql: "SELECT 1\n  FROM a;\n")
    #expect(error.description == "why (SQLite 1): SELECT 1 FROM a;")
  }
}
