#if canImport(SwiftUI) && canImport(UIKit) && canImport(MapKit)
  import QuadrilleClient
  import SwiftUI

  @main
  struct MapApp: App {
    @StateObject private var model = MapModel()

    var body: some Scene {
      WindowGroup {
        ContentView(model: model).task { await model.start() }
      }
    }
  }

  /// The map, what was tapped, the player, and the update.
  struct ContentView: View {
    @ObservedObject var model: MapModel

    var body: some View {
      ZStack(alignment: .bottom) {
        ArchiveMap(archive: model.shown, view: model.view, tap: model.tap)
          .ignoresSafeArea()
        VStack(spacing: 8) {
          if let text = model.tapped {
            Text(text).accessibilityAddTraits(.updatesFrequently)
          }
          if let series = model.series {
            PlayerBar(series: series, index: $model.frame, isPlaying: $model.isPlaying)
          }
          HStack {
            Text(model.status).font(.footnote)
            Spacer()
            Button("Update") { Task { await model.update() } }.disabled(model.isUpdating)
          }
          if let attribution = model.archive?.info.attribution {
            Text(attribution).font(.caption2)
          }
        }
        .padding()
        .background(.regularMaterial)
      }
    }
  }

  /// Plays the frames of a series.
  struct PlayerBar: View {
    let series: FrameSeries
    @Binding var index: Int
    @Binding var isPlaying: Bool

    var body: some View {
      HStack {
        Button(isPlaying ? "Pause" : "Play") { isPlaying.toggle() }
        Slider(
          value: Binding(get: { Double(index) }, set: { index = Int($0) }),
          in: 0...Double(max(series.frames.count - 1, 1)), step: 1)
        Text(series.frames[min(index, series.frames.count - 1)].time, style: .time)
      }
    }
  }
#else
  @main
  enum MapApp {
    static func main() {}
  }
#endif
