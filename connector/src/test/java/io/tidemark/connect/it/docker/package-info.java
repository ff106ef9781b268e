/**
 * Tests on the containers of {@code docker/compose.yaml}. They have faults that processes on one
 * machine cannot have: broken networks and full disks.
 */
@NullMarked
package io.tidemark.connect.it.docker;

import org.jspecify.annotations.NullMarked;
