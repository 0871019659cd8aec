package import Definition
package import Reports
import Runs

/// The reports of a run as one HTML file: it contains its images and loads nothing.
///
/// Values of variables are hidden in all its text. Apart from times and memory, equal runs give
/// equal pages.
package struct ReportPage {
  /// A pipeline of the run.
  package struct Chapter {
    let definition: PipelineDefinition
    let reports: [BuildReport]

    package init(definition: PipelineDefinition, reports: [BuildReport]) {
      self.definition = definition
      self.reports = reports
    }
  }

  /// Whether a report of this name is a page rather than JSON.
  package static func isPage(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".html") || name.hasSuffix(".htm")
  }

  private let chapters: [Chapter]
  private var redactions = RedactionList()

  package init(_ chapters: [Chapter]) {
    self.chapters = chapters
    for chapter in chapters { redactions.add(chapter.definition.redactions) }
  }

  /// The text of the page.
  ///
  /// - Complexity: O(tiles of the archives); the length of the text is bounded by the budget for
  ///   images and by the rows of its tables.
  package var html: String {
    var budget = PictureBudget()
    var articles: [HTMLNode] = []
    var links: [HTMLNode] = []
    for chapter in chapters {
      let texts = ConfigText.all(of: chapter.definition)
      for (index, report) in chapter.reports.enumerated() {
        let article = ReportArticle(
          exhibit: ReportExhibit(report, of: chapter.definition),
          number: articles.count + 1, definition: chapter.definition,
          // Pixel densities share their pipeline, which is shown once.
          texts: index == 0 ? texts : [])
        articles.append(article.node(&budget))
        links.append(
          .tag(
            "li", [:],
            [.tag("a", ["href": "#\(article.anchor)"], text: Self.title(of: report))]))
      }
    }
    let names = chapters.map(\.definition.name).joined(separator: ", ")
    var body: [HTMLNode] = []
    if articles.count > 1 {
      body.append(.tag("nav", ["aria-label": "Archives"], [.tag("ul", [:], links)]))
    }
    body.append(.tag("main", [:], articles))
    body.append(.tag("footer", [:], [footer(budget)]))
    let root = HTMLNode.tag(
      "html", ["lang": "en"], [head(title: "\(names) – Quadrille report"), .tag("body", [:], body)])
    return root.redacted(by: redactions).document
  }

  /// Returns the name of an archive's part of the page.
  static func title(of report: BuildReport) -> String {
    let file = report.archive.path.split(separator: "/").last.map(String.init)
    return "\(report.pipeline): \(file ?? report.archive.path)"
  }

  private func head(title: String) -> HTMLNode {
    .tag(
      "head", [:],
      [
        .tag("meta", ["charset": "utf-8"]),
        .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .tag(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
          ]),
        .tag("meta", ["name": "color-scheme", "content": "light dark"]),
        .tag("title", text: title), .styleSheet(ReportStyleSheet.text),
      ])
  }

  private func footer(_ budget: PictureBudget) -> HTMLNode {
    let left =
      budget.leftOut > 0
      ? " \(ReportNumber.count(budget.leftOut)) pictures are left out, so that the page stays small."
      : ""
    return .tag("p", text: "Made by quadrille \(PipelineVersion.current).\(left)")
  }
}

extension HTMLNode {
  /// Returns the node with secrets masked in all texts and in all attributes but images.
  func redacted(by list: RedactionList) -> HTMLNode {
    guard !list.isEmpty else { return self }
    switch self {
    case .text(let text): return .text(list.redact(text))
    case .styleSheet: return self
    case .element(let element):
      return .element(
        HTMLElement(
          name: element.name,
          attributes: element.attributes.map { name, value in
            (name, name == "src" ? value : list.redact(value))
          }, children: element.children.map { $0.redacted(by: list) }))
    }
  }
}
