/** What a task's pipeline is given: its settings, its timers, and the consumer that it steers. */
@NullMarked
package io.tidemark.connect.pipeline.setting;

import org.jspecify.annotations.NullMarked;
