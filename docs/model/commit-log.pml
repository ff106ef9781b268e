/*
 * The commit log of one topic-partition, as docs/PROTOCOL.md defines it, for spin.
 *
 * Two tasks act as owners of the topic-partition. A task that is not scheduled for a while is a
 * zombie that resumes late. A task that crashes restarts with a new claim and without its memory,
 * while its requests are still pending. The store executes a rename at any time after the request,
 * and a task may time out before that. A batch is one offset and one file.
 *
 * With RESTORES, an operator replaces the log by an older copy while no task runs. With TRUNCATIONS,
 * an unclean leader election deletes records, and new records get their offsets.
 *
 * Asserted: no offset is published twice (doubled), no committed batch finds its staged file missing
 * (lost), a valid entry continues the one before it, and no batch is committed after records that
 * have changed since they were read. With LIVE, the second task never crashes, and everything lands
 * in the end, however late the first task claims.
 *
 * Each BUG_... plants a bug, which spin must find; see check.
 */

#ifndef OFFSETS
#define OFFSETS 2     /* offsets to land */
#endif
#ifndef CLAIMS
#define CLAIMS 2      /* claims that the first task makes */
#endif
#ifndef OTHER_CLAIMS
#define OTHER_CLAIMS 1
#endif
#ifndef BATCHES
#define BATCHES 3     /* attempted batches of both tasks together */
#endif
#ifndef FOLDS
#define FOLDS 1       /* checkpoints of both tasks together */
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 1    /* renames for whose outcome the task does not wait */
#endif
#ifndef CRASHES
#define CRASHES 1     /* crashes of all tasks that may crash */
#endif

#ifndef RESTORES
#define RESTORES 0    /* replacements of the log by an older copy */
#endif
#ifndef TRUNCATIONS
#define TRUNCATIONS 0 /* unclean leader elections */
#endif

#define ATTEMPTS (CLAIMS + OTHER_CLAIMS + BATCHES)

#define NONE 0
#define HALF 1
#define WHOLE 2

/* The store. An entry is identified by its attempt, from 1; 0 is none. */
byte slot[ATTEMPTS + 2];       /* NUMBER.json contains the entry of this attempt */
byte temporary[ATTEMPTS + 1];  /* .NUMBER.UUID.TRY.tmp of the last try: none, being written, or whole */
bool staged[ATTEMPTS + 1];     /* a batch's file is in the staging directory of its claim */
bool directory[ATTEMPTS + 1];  /* the staging directory of a claim exists */
byte landed[OFFSETS];          /* the batch whose file is in the table */
byte checkpoint;               /* the highest checkpoint: entries up to it are folded */
byte checkpointNext;           /* the log's next offset there */

/* Pending requests to the store. */
bool renaming[ATTEMPTS + 1];   /* temporary to slot */
byte folding, foldingNext;     /* a checkpoint with this number is being written */
byte deleting, deleted;        /* entries up to this number are to be deleted; deleted so far */

/* The content of the entries. */
bool isBatch[ATTEMPTS + 1];
byte claimOf[ATTEMPTS + 1];    /* the claim under which a batch was made */
byte nextOf[ATTEMPTS + 1];     /* the log's next offset after the entry */
byte numberOf[ATTEMPTS + 1];

/* The highest entry with a mark in a staging directory. */
byte mark;

#if RESTORES
bool running[2];               /* a task is between its claim and its end */
byte restores;
#endif

#if TRUNCATIONS
byte epoch;                    /* of Kafka's leader */
byte recordOf[OFFSETS];        /* the epoch in which Kafka's record at an offset was written */
byte readOf[OFFSETS];          /* the epoch of the record in the log's batch */
byte readBy[ATTEMPTS + 1];     /* the epoch of the record in a batch */
byte epochOf[ATTEMPTS + 1];    /* the leader epoch of an entry */
byte truncations;
#endif

/* The parts of the bounds that are used. */
byte attempts, batches, folds, timeouts, crashes;

/* The last valid entry, or the checkpoint. */
inline list(number, next) {
  d_step {
    number = checkpoint;
    next = checkpointNext;
    k = checkpoint + 1;
    do
    :: k <= ATTEMPTS && slot[k] != 0 -> number = k; next = nextOf[slot[k]]; k++
    :: else -> break
    od;
    k = 0
  }
}

/* Another owner has put a checkpoint with this number or a higher one, or an entry with a higher one. */
#ifdef BUG_CHECKPOINT_UNSEEN
#define FOLDED(number) false
#else
#define FOLDED(number) (checkpoint >= number)
#endif
#define FENCED(number) (FOLDED(number) || slot[number + 1] != 0)

#if TRUNCATIONS
#define NOTE_READ(a) \
  if \
  :: isBatch[a] -> readOf[nextOf[a] - 1] = readBy[a] \
  :: else \
  fi;
#else
#define NOTE_READ(a)
#endif

/* Executes the rename of attempt a's entry to its number, if the rename is pending. */
#define RENAME(a) \
  :: atomic { \
       renaming[a] -> \
         renaming[a] = false; \
         if \
         :: temporary[a] != NONE && slot[numberOf[a]] == 0 -> \
              assert(temporary[a] == WHOLE); /* else half an entry */ \
              assert(numberOf[a] <= checkpoint || !isBatch[a] || nextOf[a] == 1 + \
                (numberOf[a] - 1 == checkpoint -> checkpointNext : nextOf[slot[numberOf[a] - 1]])); \
              slot[numberOf[a]] = a; \
              NOTE_READ(a) \
              temporary[a] = NONE \
         :: else \
         fi \
     }

/* The store. It executes pending requests at any time, in any order. */
active proctype Store() {
end:
  do
  RENAME(1) RENAME(2) RENAME(3) RENAME(4) RENAME(5)
#if ATTEMPTS > 5
  RENAME(6)
#endif
#if ATTEMPTS > 6
  RENAME(7)
#endif
#if ATTEMPTS > 7
  RENAME(8)
#endif
#if ATTEMPTS > 8
  RENAME(9)
#endif
#if ATTEMPTS > 9
  RENAME(10)
#endif
  :: atomic { folding != 0 ->
       if
       :: folding > checkpoint -> checkpoint = folding; checkpointNext = foldingNext
       :: else
       fi;
       folding = 0; foldingNext = 0
     }
  :: atomic { deleted < deleting -> deleted++; slot[deleted] = 0 }
  od
}

#if RESTORES
/* An operator replaces the log by a copy that lacks its last entries. */
active proctype Restorer() {
  byte k;
end:
  do
  :: atomic {
       restores < RESTORES && !running[0] && !running[1] && folding == 0 && deleted == deleting ->
         k = 1;
         do
         :: k <= ATTEMPTS -> if :: renaming[k] -> break :: else -> k++ fi
         :: else -> break
         od;
         if
         :: k > ATTEMPTS -> /* no rename is pending */
              restores++;
              k = checkpoint + 1;
              do
              :: slot[k] != 0 -> k++ /* this one stays */
              :: true -> break
              od;
              do
              :: k <= ATTEMPTS + 1 -> slot[k] = 0; k++
              :: else -> break
              od
         :: else
         fi;
         k = 0
     }
  od
}
#endif

#if TRUNCATIONS
/* The new leader lacks the records from some offset on, and others are written there. */
active proctype Election() {
  byte k;
end:
  do
  :: atomic {
       truncations < TRUNCATIONS ->
         truncations++;
         epoch++;
         k = 0;
         do
         :: k < OFFSETS - 1 -> k++ /* this one stays */
         :: true -> break
         od;
         do
         :: k < OFFSETS -> recordOf[k] = epoch; k++
         :: else -> break
         od;
         k = 0
     }
  od
}
#endif

inline crash() {
  if
  :: true
  :: atomic { mayCrash && crashes < CRASHES -> crashes++; goto claim }
  fi
}

/* Puts the entry of attempt a at number n, if that number is free. Each try writes to a name of its own,
 * so that a pending rename of an earlier try finds no file. */
inline append(a, n) {
  atomic {
    temporary[a] = HALF; numberOf[a] = n;
#ifndef BUG_SAME_NAME
    renaming[a] = false
#endif
  };
  atomic { temporary[a] = WHOLE; renaming[a] = true };
  if
  :: !renaming[a] && slot[n] == a -> won = true
  :: !renaming[a] && slot[n] != a -> settle(a, n)
  :: atomic { timeouts < TIMEOUTS -> timeouts++ }; settle(a, n)
  :: atomic { mayCrash && crashes < CRASHES -> crashes++; goto claim }
  fi
}

inline settle(a, n) {
#ifdef BUG_UNKNOWN_IS_LOST
  won = false
#else
  temporary[a] = NONE; /* from here on no rename takes effect */
  won = slot[n] == a
#endif
}

/* Renames a batch's file into the table: by identity, so that any number of owners may. */
inline publish(a) {
#ifndef BUG_NO_MARK
  d_step { if :: mark < numberOf[a] -> mark = numberOf[a] :: else fi };
#endif
  atomic {
    k = nextOf[a] - 1;
    if
    :: landed[k] == a
    :: landed[k] != a && landed[k] != 0 -> assert(false) /* doubled */
    :: landed[k] == 0 && staged[a] -> staged[a] = false; landed[k] = a
    :: landed[k] == 0 && !staged[a] -> assert(false) /* lost */
    fi;
    k = 0
  }
}

/* A batch with a valid entry. */
#define COMMITTED(a) (isBatch[a] && slot[numberOf[a]] == a && numberOf[a] > checkpoint)

/* Removes the staging directories of the claims before number. */
inline removeBefore(number) {
  k = 1;
  do
  :: k <= ATTEMPTS ->
       d_step {
         if
#ifdef BUG_ALL_DIRECTORIES
         :: claimOf[k] != 0 && claimOf[k] != me ->
#else
         :: claimOf[k] != 0 && numberOf[claimOf[k]] < number ->
#endif
              assert(!staged[k] || !COMMITTED(k)); /* lost */
              directory[claimOf[k]] = false;
              staged[k] = false
         :: else
         fi;
         k++
       }
  :: else -> break
  od;
  k = 0
}

/* Stops if a mark or staging directory has a later entry than the log's last: the log is an older copy. */
inline requireAsNewAsTables(number) {
  d_step {
    shown = mark;
    k = 1;
    do
    :: k <= ATTEMPTS ->
         if
         :: directory[k] && numberOf[k] > shown -> shown = numberOf[k]
         :: else
         fi;
         k++
    :: else -> break
    od;
    k = 0
  };
  if
  :: shown > number -> goto stopped
  :: else
  fi
}

/* Stops if a record below next has changed in Kafka since it was read. */
inline requireNotTruncated(next, since) {
  d_step {
    truncated = false;
    k = 0;
    do
    :: k < next -> truncated = truncated || recordOf[k] > since; k++
    :: else -> break
    od;
    k = 0
  };
  if
  :: truncated -> goto stopped
  :: else
  fi
}

/* Asserts that all records below next are those that were read. */
inline assertNotTruncated(next) {
  d_step {
    k = 0;
    do
    :: k < next -> assert(recordOf[k] == readOf[k]); k++ /* else lost */
    :: else -> break
    od;
    k = 0
  }
}

proctype Task(byte id; bool mayCrash; byte claims) {
  byte me;      /* the claim's attempt */
  byte number;  /* of this owner's last entry */
  byte next;    /* the log's next offset */
  byte a;
  byte k;
  bool won;
#if RESTORES
  byte shown;
#endif
#if TRUNCATIONS
  byte seen;    /* the leader's epoch as it was at the claim */
  byte since;   /* the last entry's */
  bool truncated;
#endif

claim:
#if RESTORES
  running[id] = false; /* no claim is running: an operator may replace the log here */
  running[id] = true;
#endif
  atomic {
    me = 0; number = 0; next = 0; a = 0; k = 0; won = false;
    if
    :: claims > 0 -> claims--; attempts++; me = attempts; claimOf[me] = me
    :: else -> goto stopped
    fi
  }
  list(number, next);
#if RESTORES
  requireAsNewAsTables(number);
#endif
#if TRUNCATIONS
  d_step { since = (slot[number] != 0 -> epochOf[slot[number]] : 0); epochOf[me] = since };
#endif
  number++;
  nextOf[me] = next;
#ifdef BUG_NO_CLAIM
  number--;
#else
  append(me, number);
  if
  :: !won -> goto claim
  :: won && FENCED(number) -> goto claim
  :: won && !FENCED(number)
  fi;
#endif
  crash();

#if TRUNCATIONS
  seen = epoch;
#ifndef BUG_NO_EPOCH
  requireNotTruncated(next, since);
#endif
#endif

  /* Recovery. If a claim has a directory, everything that was committed before the claim is published. */
#ifdef BUG_DIRECTORY_FIRST
  directory[me] = true;
#endif
  d_step {
    a = number;
    do
    :: a > checkpoint + 1 && !(slot[a - 1] != 0 && !isBatch[slot[a - 1]] && directory[slot[a - 1]]) -> a--
    :: else -> break
    od
  }
  do
  :: a < number ->
       atomic {
         if
         :: a > checkpoint && slot[a] == 0 -> goto claim
         :: a > checkpoint && slot[a] != 0 && isBatch[slot[a]] -> publish(slot[a])
         :: else
         fi
       };
       a++
  :: else -> break
  od;
  crash();
  directory[me] = true;
  crash();
  removeBefore(number);

  do
  :: atomic { next < OFFSETS && batches < BATCHES -> batches++; attempts++; a = attempts };
     atomic {
       if
       :: directory[me] -> isBatch[a] = true; claimOf[a] = me; nextOf[a] = next + 1; staged[a] = true
#if TRUNCATIONS
            ; readBy[a] = recordOf[next]; epochOf[a] = seen
#endif
       :: else -> goto claim
       fi
     };
     crash();
#ifdef BUG_PUBLISH_FIRST
     publish(a);
     crash();
#endif
#if TRUNCATIONS
#ifndef BUG_NO_EPOCH
     atomic {
       if
       :: epoch != seen -> staged[a] = false; goto claim
       :: else
       fi;
#else
     atomic {
#endif
       assertNotTruncated(next)
     };
#endif
  commit:
     append(a, number + 1);
     if
     :: won ->
          number++;
          next++;
          if
          :: FENCED(number) -> goto claim /* publishing is the next owner's */
          :: else
          fi;
          crash();
          publish(a)
     :: !won && slot[number + 1] == 0 && !FOLDED(number + 1) -> goto commit
     :: else -> staged[a] = false; goto claim
     fi
  :: atomic { folds < FOLDS && number > checkpoint -> folds++ };
#ifdef BUG_DELETE_FIRST
     deleting = number;
     crash();
     atomic { folding = number; foldingNext = next }
#else
     atomic { folding = number; foldingNext = next };
     if
     :: checkpoint >= number
     :: atomic { timeouts < TIMEOUTS -> timeouts++; goto claim }
     :: atomic { mayCrash && crashes < CRASHES -> crashes++; goto claim }
     fi;
     deleting = number
#endif
  :: next == OFFSETS -> break
  :: next < OFFSETS && batches == BATCHES -> break
  od;

stopped:
#if RESTORES
  running[id] = false
#else
  skip
#endif
}

init {
  atomic {
    run Task(0, true, CLAIMS);
#ifdef LIVE
    run Task(1, false, OTHER_CLAIMS)
#else
    run Task(1, true, OTHER_CLAIMS)
#endif
  }
}

#ifdef LIVE
ltl landsInTheEnd { <> (landed[0] != 0 && landed[OFFSETS - 1] != 0) }
#endif
