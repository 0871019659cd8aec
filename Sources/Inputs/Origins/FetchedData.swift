package import Fetching
import Ingest
package import SystemPackage

/// Files that were fetched from a URL: one, or one for each request of a template.
package struct FetchedData: DataOrigin {
  package let fetched: [FetchedFile]

  /// The name of the source, for data without a file.
  private let source: String

  /// - Parameter fetched: the files in the order of the requests; none for a source that is left
  ///   out.
  package init(_ fetched: [FetchedFile], of source: String) {
    self.fetched = fetched
    self.source = source
  }

  package var name: String { fetched.first?.uri ?? source }
  package var files: [InputFile] { fetched.map { InputFile($0) } }

  package var digestParts: [DigestPart]? {
    fetched.flatMap { [.text("fetched \($0.uri)"), .text($0.sha256)] }
  }

  package var storedBytes: Int? { fetched.reduce(0) { $0 + Int($1.bytes) } }

  package var storedFile: FilePath? { fetched.count == 1 ? FilePath(fetched[0].path) : nil }

  package func content() throws -> DataContent {
    let answers = fetched.map { file in
      DataContent.Answer(
        input: .file(FilePath(file.path), name: file.uri), isPage: file.page != nil,
        matched: file.matched)
    }
    return answers.count == 1 && answers[0].matched == nil
      ? .whole(answers[0].input) : .answers(answers)
  }
}
