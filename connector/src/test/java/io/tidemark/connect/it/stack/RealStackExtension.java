package io.tidemark.connect.it.stack;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Provides the stack to tests, and adds the connectors' state and the places of the logs to
 * failures.
 */
final class RealStackExtension
    implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(RealStackExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealStack.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return stack(context);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
    throw new AssertionError(failure.getMessage() + "\n\n" + stack(context).report(), failure);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stack(context).endTest();
  }

  private static RealStack stack(ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            context.getUniqueId(), key -> new OfContext(shared(context).forTest()), OfContext.class)
        .stack();
  }

  /** After all tests the root's store is closed, and with it the stack. */
  private static RealStack shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(RealStack.class, key -> RealStack.start(), RealStack.class);
  }

  /**
   * The stack of one test, or of a class before all of its tests. JUnit would close a stack outside
   * of this record.
   */
  private record OfContext(RealStack stack) {}
}
