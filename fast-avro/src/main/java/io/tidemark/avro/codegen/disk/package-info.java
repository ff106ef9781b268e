/**
 * A directory of files with generated classes, shared by threads and by JVMs. This package handles
 * names and bytes only; its users interpret and check the bytes. Internal, except {@link
 * io.tidemark.avro.codegen.disk.DiskStatistics}: this package may change with any release.
 */
@NullMarked
package io.tidemark.avro.codegen.disk;

import org.jspecify.annotations.NullMarked;
