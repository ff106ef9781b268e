/** What is to be done with a log that another owner left behind. */
@NullMarked
package io.tidemark.connect.recovery;

import org.jspecify.annotations.NullMarked;
