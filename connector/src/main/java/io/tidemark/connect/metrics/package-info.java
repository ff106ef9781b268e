/** Declared metrics, and the MBeans that expose them by JMX. */
@NullMarked
package io.tidemark.connect.metrics;

import org.jspecify.annotations.NullMarked;
