/**
 * Tests on the containers of {@code docker/compose.yaml}, for the faults that processes on one
 * machine cannot have: a network that is cut, and disks that are full.
 */
@NullMarked
package io.tidemark.connect.it.docker;

import org.jspecify.annotations.NullMarked;
