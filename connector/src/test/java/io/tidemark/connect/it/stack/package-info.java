/** The services that the tests share, and the topics, records and connectors of the tests. */
@NullMarked
package io.tidemark.connect.it.stack;

import org.jspecify.annotations.NullMarked;
