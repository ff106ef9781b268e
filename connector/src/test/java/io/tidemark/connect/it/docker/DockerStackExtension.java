package io.tidemark.connect.it.docker;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Provides the containers to tests, and repairs them for the next test. */
final class DockerStackExtension implements ParameterResolver, AfterEachCallback {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DockerStackExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == DockerStack.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return stack(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stack(context).mend();
  }

  /** After all tests the root's store is closed, and with it the containers. */
  private static DockerStack stack(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(DockerStack.class, key -> DockerStack.start(), DockerStack.class);
  }
}
