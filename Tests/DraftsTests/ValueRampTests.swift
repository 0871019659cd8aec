import Features
import Testing

@testable import Drafts

@Suite("The colours of an image's numbers")
struct ValueRampTests {
  @Test(
    "units and names say what is measured",
    arguments: [
      ("K", "", "temperatures in K"), ("C", "TMP Temperature", "temperatures in C"),
      ("", "tas_2020", "temperatures"), ("mm", "", "rain in mm"),
      ("kg m-2 s-1", "precipitation_flux pr", "rain in kg m-2 s-1"), ("", "radar", "rain"),
      ("m", "", "heights in m"), ("", "dem", "heights"), ("1", "ndvi", "values"),
      ("", "band", "values"), ("m", "total precipitation", "rain in m"),
    ])
  func measures(unit: String, name: String, words: String) {
    let ramp = ValueRamp(0...100, unit: unit, name: name)
    #expect(ramp.words == "colours of \(words), from 0 to 100")
  }

  @Test("values have few digits and rise from about the least to about the greatest")
  func values() throws {
    for range in [231.77...309.12, -11_034.0...8_785, 0.0001...0.00372, -1...1.0] {
      guard case .array(let stops) = ValueRamp(range, unit: "", name: "").value else { return }
      let values = stops.compactMap { stop -> Double? in
        if case .array(let pair) = stop, case .number(let value) = pair[0] { value } else { nil }
      }
      let width = range.upperBound - range.lowerBound
      #expect(values.count == stops.count && values == values.sorted())
      #expect(Set(values).count == values.count)
      #expect(abs(values[0] - range.lowerBound) <= width / 40)
      #expect(abs(values[values.count - 1] - range.upperBound) <= width / 40)
      #expect(values.allSatisfy { "\($0)".count <= 8 }, "\(values)")
    }
  }

  @Test("rain begins transparent")
  func rain() {
    let text = "\(ValueRamp(0...50, unit: "mm", name: "").value)"
    #expect(text.contains("rgba(199,233,212,0)"))
  }
}
