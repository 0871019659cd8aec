import Platform

/// A thread that nobody waits for.
enum DetachedThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs a body on a thread of its own.
  ///
  /// - Returns: `false` if the system has no resources for it, which a Thread does not tell.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = Unmanaged.passRetained(Body(body))
    let status = pthread_create(&thread, nil, { DetachedThread.run($0) }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
}
