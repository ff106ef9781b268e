package io.tidemark.avro.object.code;

import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.codegen.KeptClasses;
import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;

/**
 * Defines hidden classes, which come from generators or from disk. Safe for use by many threads.
 */
public final class ObjectClasses {
  private final CompilerOptions options;
  private final @Nullable KeptClasses kept;

  /** Treats the common superclass of any two classes as Object: generated code needs no other. */
  private static final class ObjectClassWriter extends ClassWriter {
    ObjectClassWriter() {
      super(COMPUTE_FRAMES);
    }

    @Override
    protected String getCommonSuperClass(String one, String other) {
      return "java/lang/Object";
    }
  }

  public ObjectClasses(CompilerOptions options) {
    this.options = options;
    kept = KeptClasses.of(options).orElse(null);
  }

  /**
   * Defines a hidden class, and creates one object of it.
   *
   * @param lookup a lookup of a class in the parent's package
   * @param generator writes the class into a visitor, the same at each call
   * @throws IllegalArgumentException if the JVM rejects the class, or the class is too large
   */
  public <T> T make(
      MethodHandles.Lookup lookup, Class<T> parent, Function<ClassVisitor, ClassBody> generator) {
    try {
      return kept == null
          ? generate(lookup, parent, generator, classFile -> {})
          : loadOrGenerate(kept, lookup, parent, generator);
    } catch (MethodTooLargeException | ClassTooLargeException e) {
      throw new IllegalArgumentException("the schema is too large for a class: " + e, e);
    }
  }

  private <T> T loadOrGenerate(
      KeptClasses classes,
      MethodHandles.Lookup lookup,
      Class<T> parent,
      Function<ClassVisitor, ClassBody> generator) {
    var code = new CodeDigest();
    List<Object> constants = generator.apply(code).finish();
    String digest = code.hex();
    T loaded = classes.load(digest, classFile -> define(lookup, parent, classFile, constants));
    return loaded != null
        ? loaded
        : generate(lookup, parent, generator, classFile -> classes.store(digest, classFile));
  }

  private <T> T generate(
      MethodHandles.Lookup lookup,
      Class<T> parent,
      Function<ClassVisitor, ClassBody> generator,
      Consumer<byte[]> store) {
    var out = new ObjectClassWriter();
    List<Object> constants = generator.apply(out).finish();
    byte[] classFile = out.toByteArray();
    T made = define(lookup, parent, classFile, constants);
    store.accept(classFile);
    return made;
  }

  private <T> T define(
      MethodHandles.Lookup lookup, Class<T> parent, byte[] classFile, List<Object> constants) {
    options.inspect(parent.getSimpleName() + "-" + System.identityHashCode(classFile), classFile);
    try {
      Class<?> made =
          lookup.defineHiddenClassWithClassData(classFile, constants, true).lookupClass();
      var constructor = made.getDeclaredConstructor();
      // The class is in the parent's package, not in this one.
      constructor.setAccessible(true);
      return parent.cast(constructor.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the JVM rejects the class: " + e, e);
    }
  }

  /** Returns the counters of the classes on disk. */
  public DiskStatistics diskStatistics() {
    return kept == null ? DiskStatistics.NONE : kept.statistics();
  }
}
