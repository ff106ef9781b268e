/*
 * Walks through StockQuote-78 datums: an upper limit for the speed that a program on the JVM can reach.
 *
 *     walk bmi2-4 quotes.datums 0.5 1     0.5 s of warm-up, then 1 s is measured; prints ns a datum
 *
 * In the file, each datum follows its length (4 bytes, little endian). A walk skips doubles, finds the end of
 * each varint, decodes the lengths of texts, and compares the end of the datum with the expected end. A walk does
 * not check whether an int has more than 32 bits, and does not check the characters of texts. Unlike fast-avro,
 * a walk has its schema compiled in, and copies nothing.
 *
 *     scalar      byte by byte
 *     scalar-4    the same for four datums at a time, a field of each in turn: their loads overlap
 *     bmi2        tzcnt finds the end of a varint in 8 bytes, pext extracts its bits
 *     bmi2-4      the same for four datums at a time
 *
 * On a processor without BMI2, the last two exit with status 3.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define BMI2 __attribute__((target("bmi,bmi2")))
/* Only lengths are checked: reads may pass the end of the last datum by 78 varints of 10 bytes and a load of 8. */
#define PADDING 1024
#define FIXED_FIELDS 18
#define TEXT_FIELDS 60

/* The fields before f1 ... f60: text, varint, double. */
static const char FIELDS[FIXED_FIELDS + 1] = "tvdvdvddvvdddddvdd";

typedef struct {
  const uint8_t *at;
  const uint8_t *limit; /* The end of the buffer: a wrong length must not pass it. */
  uint64_t faults;
} Lane;

typedef struct {
  uint8_t *bytes;
  size_t *begins; /* The start of each datum, then the end of the last datum. */
  size_t count;
} Datums;

/* Skips a text by its length. The length is zigzag-encoded: an odd number is negative. */
INLINE void text(Lane *lane, uint64_t zigzag) {
  int64_t length = (int64_t)(zigzag >> 1);
  if (__builtin_expect((length > lane->limit - lane->at) | (zigzag & 1), 0)) {
    lane->faults = 1;
  } else {
    lane->at += length;
  }
}

INLINE uint64_t scalar_varint(Lane *lane) {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    uint8_t byte = *lane->at++;
    value |= (uint64_t)(byte & 0x7f) << (shift & 63);
    if (byte < 0x80) {
      return value;
    }
  }
  lane->faults = 1;
  return 0;
}

INLINE BMI2 uint64_t bmi2_varint(Lane *lane) {
  uint64_t word;
  memcpy(&word, lane->at, sizeof word);
  uint64_t ends = ~word & 0x8080808080808080u;
  if (__builtin_expect(ends == 0, 0)) {
    return scalar_varint(lane);
  }
  uint64_t value = _pext_u64(word & _blsmsk_u64(ends), 0x7f7f7f7f7f7f7f7fu);
  lane->at += (_tzcnt_u64(ends) >> 3) + 1;
  return value;
}

#define FIELD(kind, varint)                \
  if (kind == 'd') {                       \
    lane->at += 8;                         \
  } else {                                 \
    uint64_t value = varint(lane);         \
    if (kind == 't') {                     \
      text(lane, value);                   \
    }                                      \
  }

INLINE void scalar_field(Lane *lane, char kind) { FIELD(kind, scalar_varint) }
INLINE BMI2 void bmi2_field(Lane *lane, char kind) { FIELD(kind, bmi2_varint) }

#define WALK(name, lanes, field, target)                                                   \
  target static size_t name(const Datums *datums, size_t short_by) {                       \
    size_t good = 0;                                                                       \
    const uint8_t *limit = datums->bytes + datums->begins[datums->count];                  \
    for (size_t i = 0; i + lanes <= datums->count; i += lanes) {                           \
      Lane lane[lanes];                                                                    \
      for (int k = 0; k < lanes; k++) {                                                    \
        lane[k] = (Lane){datums->bytes + datums->begins[i + k], limit, 0};                 \
      }                                                                                    \
      _Pragma("GCC unroll 18") for (int f = 0; f < FIXED_FIELDS; f++) {                    \
        _Pragma("GCC unroll 4") for (int k = 0; k < lanes; k++) field(&lane[k], FIELDS[f]); \
      }                                                                                    \
      for (int f = 0; f < TEXT_FIELDS; f++) {                                              \
        _Pragma("GCC unroll 4") for (int k = 0; k < lanes; k++) field(&lane[k], 't');       \
      }                                                                                    \
      for (int k = 0; k < lanes; k++) {                                                    \
        const uint8_t *end = datums->bytes + datums->begins[i + k + 1] - short_by;         \
        good += lane[k].at == end && !lane[k].faults;                                      \
      }                                                                                    \
    }                                                                                      \
    return good;                                                                           \
  }

WALK(walk_scalar, 1, scalar_field, )
WALK(walk_scalar_4, 4, scalar_field, )
WALK(walk_bmi2, 1, bmi2_field, BMI2)
WALK(walk_bmi2_4, 4, bmi2_field, BMI2)

static const struct {
  const char *name;
  size_t (*walk)(const Datums *, size_t);
} WALKS[] = {{"scalar", walk_scalar}, {"scalar-4", walk_scalar_4}, {"bmi2", walk_bmi2}, {"bmi2-4", walk_bmi2_4}};

static void fail(const char *problem, const char *what) {
  fprintf(stderr, "walk: %s: %s\n", problem, what);
  exit(1);
}

static Datums read_datums(const char *name) {
  FILE *file = fopen(name, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    fail("cannot be read", name);
  }
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *content = malloc(size);
  Datums datums = {calloc(size + PADDING, 1), calloc(size / 4 + 1, sizeof(size_t)), 0};
  if (!content || !datums.bytes || !datums.begins || fread(content, 1, size, file) != size) {
    fail("cannot be read", name);
  }
  fclose(file);
  for (size_t at = 0, to = 0; at + 4 <= size;) {
    uint32_t length;
    memcpy(&length, content + at, 4);
    if (length > size - at - 4) {
      fail("ends within a datum", name);
    }
    memcpy(datums.bytes + to, content + at + 4, length);
    at += 4 + length;
    to += length;
    datums.begins[++datums.count] = to;
  }
  free(content);
  return datums;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **words) {
  if (count != 5) {
    fail("wants a variant, a file and two times in seconds", "see the source");
  }
  size_t (*walk)(const Datums *, size_t) = NULL;
  for (size_t i = 0; i < sizeof WALKS / sizeof *WALKS; i++) {
    if (strcmp(words[1], WALKS[i].name) == 0) {
      walk = WALKS[i].walk;
    }
  }
  if (walk == NULL) {
    fail("no such variant", words[1]);
  }
  if (words[1][0] == 'b' && !(__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))) {
    fprintf(stderr, "walk: this processor has no BMI2\n");
    return 3;
  }
  Datums datums = read_datums(words[2]);
  datums.count -= datums.count % 4;
  if (datums.count == 0 || walk(&datums, 0) != datums.count || walk(&datums, 1) != 0) {
    fail("these are no StockQuote-78 datums, or a wrong end was taken", words[2]);
  }
  double ns = 0;
  for (int part = 3; part <= 4; part++) { /* The first part is the warm-up. */
    double begin = now(), end = begin, seconds = atof(words[part]);
    size_t done = 0;
    do {
      done += walk(&datums, 0);
      end = now();
    } while (end - begin < seconds);
    ns = (end - begin) * 1e9 / (double)done;
  }
  printf("%f\n", ns);
  return 0;
}
