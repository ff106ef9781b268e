/**
 * The permissions that a connector needs in the real services, with all of them and without one.
 */
@NullMarked
package io.tidemark.connect.it.permissions;

import org.jspecify.annotations.NullMarked;
