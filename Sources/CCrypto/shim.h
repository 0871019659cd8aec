// OpenSSL 3 prefers its EVP interface, which allocates for every digest. The functions on plain
// structs, which are copied with their owner, are marked as deprecated but stay.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
