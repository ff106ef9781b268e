/**
 * What the servers and the clients of a secured stack share: the realm of Kerberos with its
 * keytabs, and the certificate. It needs the JDK alone.
 */
@NullMarked
package io.tidemark.stack.security;

import org.jspecify.annotations.NullMarked;
