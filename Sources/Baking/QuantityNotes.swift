import Definition
package import Examination
package import Features
import Ingest
package import Inputs
import SourceStages

extension LoadedSource {
  /// Returns notes on values that are not numbers although the pipeline uses them as such.
  ///
  /// - Complexity: O(bytes of the columns that are used as numbers).
  func notes(on usages: [QuantityUsage]) -> [String] {
    var used: [QuantityRequest: QuantityCensus] = [:]
    used.add(points, shapes, Set(usages.filter { !$0.testsRecords }.map(\.request)).sorted())
    return usages.compactMap { usage in
      // Lines no longer have the points that they connect, so the values were counted while
      // reading.
      let isCounted = usage.testsRecords || usage.request.use == .order
      let census = isCounted ? ledger.numbers[usage.request] : used[usage.request]
      return census.flatMap { resolved.note(on: usage, $0) }
    }
  }
}

extension ResolvedSource {
  /// Returns the note on values that are not numbers; `nil` if there are none.
  package func note(on usage: QuantityUsage, _ census: QuantityCensus) -> String? {
    guard let message = usage.message(census, file: hasOneFile ? dataName : nil) else { return nil }
    return message + " " + usage.advice(census, hasNullValues: records?.format is CSVSource)
  }

  /// Whether the line of a record is one in the file that the source names.
  private var hasOneFile: Bool {
    !(origin is FileParts) && origin.fetched.isEmpty && records?.changes.isEmpty == true
  }
}
