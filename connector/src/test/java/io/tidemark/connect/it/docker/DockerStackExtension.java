package io.tidemark.connect.it.docker;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the containers, and leaves them whole to the next test. */
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

  /** The root's store is closed, and the containers with it, when all tests have ended. */
  private static DockerStack stack(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(DockerStack.class, key -> DockerStack.start(), DockerStack.class);
  }
}
