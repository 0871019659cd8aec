import Definition
import Fetching
import Ingest
import Runs

extension InputStage {
  /// Returns the files of all answers, with the pages that follow each, and the notes on them.
  ///
  /// - Parameters:
  ///   - files: the first files of the answers, in the order of the requests.
  ///   - fetch: a function that fetches a page.
  func answers(
    _ files: [FetchedFile], to requests: [RemoteResource], of source: SourceDefinition,
    lock: LockFile?, fetch: @escaping (RemoteResource) throws -> FetchedFile
  ) throws -> (files: [FetchedFile], notes: [String]) {
    guard source.records != nil else { return (files, []) }
    let pages = PageFetch(source: source, fetch: fetch)
    var answers: [PageFetch.Answer] = []
    for (file, request) in zip(files, requests) {
      let answer = try pages.answer(of: file, to: request)
      try lock?.requirePages(of: file, answer.files.count)
      answers.append(answer)
    }
    let notes = [
      source.noteOnPages(answers, requests), source.noteOnRoundCounts(answers, requests),
    ]
    return (answers.flatMap(\.files), notes.compactMap(\.self))
  }
}

extension SourceDefinition {
  /// The note that more was read than the request asks for at a time.
  fileprivate func noteOnPages(
    _ answers: [PageFetch.Answer], _ requests: [RemoteResource]
  ) -> String? {
    let paged = zip(answers, requests).first { answer, request in
      answer.files.count > 1 && PageFetch.limits.contains { request.parameter($0) != nil }
    }
    guard let (answer, request) = paged,
      let limit = PageFetch.limits.first(where: { request.parameter($0) != nil })
    else { return nil }
    return "source '\(name)': the answer came in \(answer.files.count) pages, and all are read: "
      + "'\(limit)' in the url is the size of a page. 'requests: {pages: first}' takes the first "
      + "alone."
  }

  /// The note that answers which say nothing of their completeness have a round number of records,
  /// as those of a service with a limit have.
  fileprivate func noteOnRoundCounts(
    _ answers: [PageFetch.Answer], _ requests: [RemoteResource]
  ) -> String? {
    let counts = answers.filter { $0.matched == nil && $0.files.count == 1 }.compactMap(\.records)
    guard let greatest = counts.max() else { return nil }
    let digits = "\(greatest)".reversed().drop { $0 == "0" }.count
    let alike = counts.count { $0 == greatest }
    let isLikely =
      requests.count > 1
      ? alike > 1 && digits <= 2 && greatest >= 100
      : digits == 1 && greatest >= 1000 && requests.allSatisfy(\.isQuery)
    guard isLikely else { return nil }
    let number = "exactly \(greatest) records"
    return "source '\(name)': "
      + (requests.count > 1
        ? "\(alike) of \(answers.count) answers have \(number), and none has more: the service may "
          + "have a limit, beyond which records are missing. Cut the requests smaller with 'step' or "
          + "'zoom', or ask for more in the url."
        : "the answer has \(number): the service may have a limit, beyond which records are missing. "
          + "Ask for more in the url ('limit=', 'count=', '$limit=' …), or for less at a time with a "
          + "template.")
  }
}

extension RemoteResource {
  /// Whether it is likely to be the answer of a program and not a file.
  fileprivate var isQuery: Bool {
    hasQuery || !fileName.contains(".") || uri.contains("/resource/")
  }
}
