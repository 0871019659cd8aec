import Foundation
import Testing

@Suite("The program's error types")
struct FailureTests {
  /// The types that need not be a `Failure`, with the reason.
  private static let exceptions: [String: String] = [
    "ArtifactDamage": "the artifact is made again",
    "ChildFault": "becomes a SourceError or PipelineError where the file is known",
    "Damage": "of ByteReader; what the bytes stand for is made again",
    "EvaluationError": "of one record, which then has no value",
    "ExpressionError": "one of those in ExpressionErrors",
    "Fault": "of DatabaseConnection; becomes a PipelineError where the key is known",
    "GeometryRefusal": "of one record, which is counted",
    "JSONFailure": "becomes a SourceError where the file is known",
    "Mismatch": "of TimeScanner; its callers word it where they know the text",
    "PMTilesFault": "the end of a sentence of an ArchiveError",
    "PictureFault": "the end of a sentence of a finding",
    "Refusal": "of FileLock and FolderListing; becomes an error of the caller, who knows the file",
    "PartDamage": "becomes a PipelineError where the part is known",
    "BusyPreview": "the answer to a request to the preview, with 503",
    "RequestRefusal": "the answer to a request to the preview",
    "TapFault": "the end of a sentence of an ArchiveError or finding",
    "TransferFailure": "becomes a FetchError after the last attempt",
    "WhyNot": "no failure: the archive is written as a whole",
    "Unavailable": "of Ed25519; becomes a PipelineError where a key is read or used",
  ]

  @Test("are failures with a code and a sentence where other targets can meet them")
  func conformance() throws {
    var declared: Set<String> = []
    var conforming: Set<String> = []
    for file in try Repository.files(in: "Sources", suffix: ".swift") {
      let text = try Repository.text(file)
      for match in text.matches(of: /package (?:struct|enum) (\w+): ([\w, ]*\bError\b[\w, ]*)/) {
        declared.insert(String(match.1))
      }
      for match in text.matches(of: /extension (\w+): [\w, ]*\b(?:Worded)?Failure\b/) {
        conforming.insert(String(match.1))
      }
    }
    #expect(declared.count > 15)
    #expect(declared.subtracting(conforming).sorted() == Self.exceptions.keys.sorted())
  }
}
