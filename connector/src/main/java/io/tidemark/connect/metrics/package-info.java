/** What a task shows by JMX: declared metrics, and the MBeans that have them. */
@NullMarked
package io.tidemark.connect.metrics;

import org.jspecify.annotations.NullMarked;
