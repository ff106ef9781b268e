package io.tidemark.connect.it.hadoop;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Provides the stacks to tests, repairs them, and adds the places of the logs to failures. */
final class HadoopStackExtension
    implements ParameterResolver,
        BeforeAllCallback,
        AfterAllCallback,
        AfterEachCallback,
        TestExecutionExceptionHandler {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(HadoopStackExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return HadoopStack.class.isAssignableFrom(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return stack(context);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    stack(context).enter();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stack(context).leave();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stack(context).mend();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    failure.addSuppressed(
        new IllegalStateException("the logs are in " + stack(context).services().logs()));
    throw failure;
  }

  private static HadoopStack stack(ExtensionContext context) {
    return context.getRequiredTestClass().isAnnotationPresent(OnSecuredStack.class)
        ? stack(context, SecuredStack.class, SecuredStack::start)
        : stack(context, HaStack.class, HaStack::start);
  }

  /** After all tests the root's store is closed, and with it the stacks. */
  private static HadoopStack stack(
      ExtensionContext context,
      Class<? extends HadoopStack> type,
      Supplier<? extends HadoopStack> start) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(type, key -> start.get(), HadoopStack.class);
  }
}
