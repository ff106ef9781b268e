/** The services that the tests share, and what they put there: topics, records and connectors. */
@NullMarked
package io.tidemark.connect.it.stack;

import org.jspecify.annotations.NullMarked;
