package io.tidemark.connect.faults;

/** The outcome of one call of a service. */
enum Fate {
  SUCCEEDS,

  /** The call has no effect, and its caller gets an error. */
  FAILS,

  /** The call takes effect, and its caller gets an error. */
  LOSES_ITS_ANSWER,

  /**
   * A change of the store or the catalog takes effect, and its answer is lost. The client makes the
   * call again, and its caller gets the second answer: the name node has no retry cache, and a
   * Metastore has none at all. Other calls lose their answer.
   */
  REPEATED,

  /** The caller stops waiting and gets an error; the call takes effect later. */
  TAKES_EFFECT_LATE,

  /** The process sleeps, other processes take over its work, and then it makes the call. */
  SLEEPS_BEFORE,

  /**
   * The call takes effect. Then the process sleeps, others take over its work, and it continues.
   */
  SLEEPS_AFTER,

  /** The process dies and does not make the call. */
  DIES_BEFORE,

  /** The call takes effect, and the process dies. */
  DIES_AFTER
}
