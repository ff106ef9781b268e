/** The real services, started from their released jars. */
@NullMarked
package io.tidemark.stack;

import org.jspecify.annotations.NullMarked;
