import Failures
import Testing

@testable import QuadrilleKit

@Suite("codes of QuadrilleError")
struct CodeTests {
  @Test(
    "a failure of the program keeps the name of its code, and an interrupted run is cancelled",
    arguments: FailureCode.allCases)
  func names(_ code: FailureCode) {
    #expect(
      QuadrilleError.Code(code).rawValue == (code == .interrupted ? "cancelled" : code.rawValue))
  }
}
