package dev.spillway.core.lanes;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The system's {@code crypt_r} of libxcrypt: a bcrypt that shares no line with any in Java. */
final class Libxcrypt implements AutoCloseable {
  /** {@code sizeof(struct crypt_data)} since libxcrypt 4.0, crypt(3). */
  private static final long DATA_BYTES = 32_768;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment data = arena.allocate(DATA_BYTES, 16);
  private final MethodHandle crypt;

  /**
   * @throws IllegalArgumentException if the library is not there
   */
  Libxcrypt() {
    crypt =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup("libcrypt.so.1", arena).findOrThrow("crypt_r"),
                FunctionDescriptor.of(
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
  }

  /** The hash in written form, or what begins with an asterisk. The password holds no NUL. */
  String crypt(byte[] password, String setting) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment phrase = call.allocate(password.length + 1L);
      MemorySegment.copy(password, 0, phrase, ValueLayout.JAVA_BYTE, 0, password.length);
      MemorySegment hash =
          (MemorySegment) crypt.invokeExact(phrase, call.allocateFrom(setting), data);
      return hash.reinterpret(DATA_BYTES).getString(0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
