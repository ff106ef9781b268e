/** What a task tells of itself by JMX: where its time goes. */
@NullMarked
package io.tidemark.connect.metrics;

import org.jspecify.annotations.NullMarked;
