package io.tidemark.avro.codegen;

import java.io.IOException;
import java.io.InputStream;

/** A class loader with its own classes of this library, and without ASM. */
final class LoaderWithoutAsm extends ClassLoader {

  LoaderWithoutAsm() {
    super(LoaderWithoutAsm.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("org.objectweb.asm.")) {
      throw new ClassNotFoundException(name + " is kept out by the test");
    }
    if (!name.startsWith("io.tidemark.avro.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
