// The C library of the system under one name. A file that needs `errno`, `stat` or `sin` imports
// `Platform` and no `#if` of its own.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
