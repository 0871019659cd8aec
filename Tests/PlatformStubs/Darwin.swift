// What Darwin's C library has and Glibc does not, over Glibc's own types.
public import Glibc

public var F_FULLFSYNC: Int32 { 51 }
public var F_PREALLOCATE: Int32 { 42 }
public var F_ALLOCATEALL: Int32 { 4 }
public var F_PEOFPOSMODE: Int32 { 3 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }

public struct fstore_t {
  public init(
    fst_flags: UInt32, fst_posmode: Int32, fst_offset: off_t, fst_length: off_t,
    fst_bytesalloc: off_t
  ) {}
}

public func clonefile(
  _ source: UnsafePointer<CChar>, _ copy: UnsafePointer<CChar>, _ flags: UInt32
) -> Int32 { 0 }

extension stat {
  public var st_atimespec: timespec { fatalError() }
  public var st_mtimespec: timespec { fatalError() }
  public var st_ctimespec: timespec { fatalError() }
}

public struct SignalUnion {
  public var __sa_handler: (@convention(c) (Int32) -> Void)?
}

extension sigaction {
  public var __sigaction_u: SignalUnion { fatalError() }
}

public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

public typealias rusage_info_t = UnsafeMutableRawPointer
public var RUSAGE_INFO_V4: Int32 { 4 }

public struct rusage_info_v4 {
  public var ri_phys_footprint: UInt64
  public var ri_resident_size: UInt64
  public init() { fatalError() }
}

public func proc_pid_rusage(
  _ process: Int32, _ flavor: Int32, _ buffer: UnsafeMutablePointer<rusage_info_t?>
) -> Int32 { 0 }
