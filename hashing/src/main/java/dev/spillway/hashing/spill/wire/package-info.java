/** How requests travel to functions, and what comes back: a transport is what a user adds. */
package dev.spillway.hashing.spill.wire;
