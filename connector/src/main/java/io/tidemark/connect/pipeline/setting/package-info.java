/**
 * Settings and timers of a task's pipeline, and the interface that pauses and seeks its consumer.
 */
@NullMarked
package io.tidemark.connect.pipeline.setting;

import org.jspecify.annotations.NullMarked;
