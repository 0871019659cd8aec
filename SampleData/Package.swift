// swift-tools-version: 6.2
// A package of its own: it makes the data that the pipelines of pipelines/ read, and no part of the
// program imports it. It depends on nothing.

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "SampleData",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "sample-data", targets: ["sample-data"])],
  targets: [
    .executableTarget(name: "sample-data", swiftSettings: strict),
    .testTarget(name: "SampleDataTests", dependencies: ["sample-data"], swiftSettings: strict),
  ]
)
