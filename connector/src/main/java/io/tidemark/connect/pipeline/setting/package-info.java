/**
 * Settings and timers of a task's pipeline, and the port that pauses, resumes and seeks its
 * consumer. Start with {@link io.tidemark.connect.pipeline.setting.PipelineSettings}.
 */
@NullMarked
package io.tidemark.connect.pipeline.setting;

import org.jspecify.annotations.NullMarked;
