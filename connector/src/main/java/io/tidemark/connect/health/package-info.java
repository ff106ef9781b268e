/** The waits of a task: which service, since when, the cause and the cure. */
@NullMarked
package io.tidemark.connect.health;

import org.jspecify.annotations.NullMarked;
