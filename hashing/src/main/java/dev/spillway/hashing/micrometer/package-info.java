/** For applications that measure with Micrometer, which the rest of the library does not need. */
package dev.spillway.hashing.micrometer;
