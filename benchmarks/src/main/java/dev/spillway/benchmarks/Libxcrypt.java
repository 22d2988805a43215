package dev.spillway.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The system's bcrypt in C and assembler, called without JNI: what a native binding would give. */
final class Libxcrypt {
  /** {@code sizeof(struct crypt_data)} since libxcrypt 4.0, crypt(3). */
  private static final long DATA_BYTES = 32_768;

  private final MethodHandle crypt;
  private final MemorySegment data = Arena.global().allocate(DATA_BYTES, 16);

  private Libxcrypt(MemorySegment function) {
    crypt =
        Linker.nativeLinker()
            .downcallHandle(
                function,
                FunctionDescriptor.of(
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
  }

  /** The library, if this system has it. */
  static Optional<Libxcrypt> find() {
    try {
      return SymbolLookup.libraryLookup("libcrypt.so.1", Arena.global())
          .find("crypt_r")
          .map(Libxcrypt::new);
    } catch (IllegalArgumentException absent) {
      return Optional.empty();
    }
  }

  /** The hash in written form. */
  String crypt(byte[] password, String setting) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment phrase = arena.allocate(password.length + 1L);
      MemorySegment.copy(password, 0, phrase, ValueLayout.JAVA_BYTE, 0, password.length);
      MemorySegment hash =
          (MemorySegment) crypt.invokeExact(phrase, arena.allocateFrom(setting), data);
      return hash.reinterpret(DATA_BYTES).getString(0);
    } catch (Throwable e) {
      throw new IllegalStateException("crypt_r", e);
    }
  }
}
