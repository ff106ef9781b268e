/** What a task waits for: which service, since when, why, and what to do. */
@NullMarked
package io.tidemark.connect.health;

import org.jspecify.annotations.NullMarked;
