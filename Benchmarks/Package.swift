// swift-tools-version: 6.2
// A package of its own: it measures the release executables from outside, as a user runs them.

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "bench",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
      ])
  ]
)
