import Definition
import Fetching
import Ingest
import Runs
import SystemPackage

/// The pages of a service's answer: those that follow the first are fetched one after the other,
/// until the answer is complete as it says itself.
struct PageFetch {
  let source: SourceDefinition

  /// A function that fetches a page.
  let fetch: (RemoteResource) throws -> FetchedFile

  /// The files of one answer, and the number of its records.
  struct Answer {
    var files: [FetchedFile]

    /// The number of records; `nil` where the format does not tell without reading it.
    var records: Int?

    /// The number of records that match the request, as the answer says.
    var matched: Int?
  }

  /// Returns the answer that a file begins.
  ///
  /// - Throws: ``PipelineError`` `badData` with both numbers where the answer is incomplete and its
  ///   rest cannot be fetched; the errors of fetching.
  func answer(of first: FetchedFile, to request: RemoteResource) throws -> Answer {
    var answer = Answer(files: [first])
    var (file, resource) = (first, request)
    var asked: Set<RemoteResource> = [request]
    let skipped = Self.offset(of: request)
    while true {
      let extent = try extent(of: file)
      if let extent { answer.records = (answer.records ?? 0) + extent.records }
      let matched = extent?.matched ?? file.matched
      if answer.files.count == 1 {
        answer.matched = matched.map { max(0, $0 - skipped) }
        // What only the head says, or refers to more than was asked for, the reader does not know.
        let isKnown = extent?.matched != nil && skipped == 0
        answer.files[0].matched = isKnown ? nil : answer.matched
      }
      let isComplete = answer.matched.map { answer.records ?? 0 >= $0 }
      if answer.files.count > 1, extent?.records == 0, extent?.isCut != true || isComplete == true {
        guard isComplete != false else {
          throw incomplete(answer, "and answers the request for the rest without records")
        }
        break
      }
      guard source.remote.pages == .all,
        let next = try following(resource, file, extent, answer, skipped: skipped)
      else { break }
      guard asked.insert(next).inserted else {
        throw incomplete(answer, "and names an earlier page as the next one")
      }
      try requireRoom(for: answer)
      resource = next
      file = try fetch(next)
      guard !answer.files.contains(where: { $0.sha256 == file.sha256 }) else {
        throw incomplete(answer, "and answers the next request with the same records")
      }
      file.page = answer.files.count + 1
      (file.matched, answer.files) = (nil, answer.files + [file])
    }
    return answer
  }

  /// Returns what the body of a page says; `nil` for a format that says nothing.
  private func extent(of file: FetchedFile) throws -> AnswerExtent? {
    let input = SourceInput.file(FilePath(file.path), name: file.uri)
    if let markup = AnswerExtent(markup: input.head()) { return markup }
    guard input.head(64).first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "{") else {
      return nil
    }
    return source.type.hasPrefix("geojsonseq")
      ? nil : try AnswerExtent(scanning: try input.stream())
  }

  /// Returns the request for the page after the last one; `nil` where the answer is complete.
  private func following(
    _ last: RemoteResource, _ file: FetchedFile, _ extent: AnswerExtent?, _ answer: Answer,
    skipped: Int
  ) throws -> RemoteResource? {
    if let link = extent?.next ?? file.next {
      guard source.records?.format.conversion == nil else {
        throw incomplete(answer, "and 'type: \(source.type)' reads one answer")
      }
      guard let next = last.page(at: link) else {
        throw incomplete(answer, "and names a next page that is at another host")
      }
      return next
    }
    guard let records = answer.records else { return nil }
    guard extent?.isCut == true || records < answer.matched ?? 0 else { return nil }
    guard source.records?.format.conversion == nil,
      extent?.records ?? 0 > 0 || extent?.token != nil,
      let next = Self.request(after: last, extent, skipping: skipped + records)
    else { throw incomplete(answer, "and does not say where the rest is") }
    return next
  }

  private func requireRoom(for answer: Answer) throws {
    guard answer.files.count < source.remote.maximumRequests else {
      throw incomplete(
        answer, "in \(answer.files.count) pages, which is as many as 'requests: {max: …}' allows")
    }
    let bytes = answer.files.reduce(0) { $0 + $1.bytes }
    guard bytes < source.remote.maximumBytes else {
      throw incomplete(answer, "in \(bytes) bytes, which is more than 'maxBytes' allows")
    }
  }

  /// - Parameter why: the rest of the sentence.
  private func incomplete(_ answer: Answer, _ why: String) -> PipelineError {
    let sent = answer.records.map { "\($0) records" } ?? "a part"
    let whole =
      answer.matched.map { "\($0) records that match the request" } ?? "more records than it sends"
    return PipelineError(
      .badData,
      "source '\(source.name)': \(answer.files[0].uri): the service has \(whole), sends \(sent), "
        + "\(why). Ask for less at a time with a template url, or take what comes with 'requests: "
        + "{pages: first}'.", at: source.node["data"]?.place ?? source.place)
  }

  // MARK: Requests

  /// Returns the request for the records that follow an answer which does not link to them; `nil`
  /// where the service does not say how it is asked.
  private static func request(
    after last: RemoteResource, _ extent: AnswerExtent?, skipping count: Int
  ) -> RemoteResource? {
    if let token = extent?.token {
      let known = token.parameter == "page" ? nil : last.parameterName(with: cursors)
      return last.setting(known ?? token.parameter, to: token.value)
    }
    func has(_ name: String) -> Bool { last.parameter(name) != nil }
    var parameter: String?
    if last.parameter("request")?.lowercased() == "getfeature" {
      parameter = "startIndex"
    } else if last.fileName.lowercased() == "query" {
      parameter = "resultOffset"
    } else if extent?.hasWindow == true || has("offset") || has("limit") {
      parameter = "offset"
    }
    return parameter.flatMap { last.setting($0, to: "\(count)") }
  }

  /// Parts of the names of parameters that ask for a page by a value of the one before.
  private static let cursors = ["cursor", "pagetoken", "page_token", "resumptiontoken"]

  /// Returns the number of records that a request leaves out.
  private static func offset(of resource: RemoteResource) -> Int {
    ["startindex", "resultoffset", "offset"].lazy
      .compactMap { resource.parameter($0).flatMap { Int($0) } }.first.map { max(0, $0) } ?? 0
  }

  /// The parameters by which a request limits its answer.
  static let limits = [
    "count", "maxfeatures", "limit", "resultrecordcount", "$limit", "rows", "per_page", "page_size",
  ]
}
