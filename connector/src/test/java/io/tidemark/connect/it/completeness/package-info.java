/** What is said of completeness on the real services, and what keeps it from being said. */
@NullMarked
package io.tidemark.connect.it.completeness;

import org.jspecify.annotations.NullMarked;
