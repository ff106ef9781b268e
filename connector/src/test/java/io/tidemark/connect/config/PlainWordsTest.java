package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents, comments, messages and scripts use plain words; sentences of documents are short. */
class PlainWordsTest {
  private static final int MOST_WORDS = 38;

  private static final String SOURCES = ".*/src/(?:main|test)/java/.*\\.java";
  private static final String MAIN_SOURCES = ".*/src/main/java/.*\\.java";

  /** Scripts, configurations and images. Example: {@code docker/images/common/healthy}. */
  private static final String SCRIPTS =
      "(?!.*/src/test/resources/).*"
          + "(?:\\.(?:sh|py|ya?ml|properties|xml|env)|/[a-z]+|/Dockerfile|/config/.*\\.json)";

  private static final String LIBRARIES =
      "\\.\\./(?:fast-avro/|registry-client/|docs/FAST-AVRO\\.md|docs/REGISTRY\\.md).*";

  /** A contender of the benchmarks has this name. */
  private static final Word OURS = Word.of("ours", "Tidemark's, the connector's");

  private static final String BENCHMARKS = "\\.\\./benchmarks/.*(?<!\\.md)";

  private static final List<Word> WORDS =
      List.of(
          Word.of("stands?|stood|standing", "be, remain, be named; replace for \"stand for\""),
          Word.of("tells?|told|telling", "report, return, show, request; distinguish"),
          // A hold of the ledger is a noun.
          Word.of(
              "held|holding|(?:to|can|must|may|will|that|which|it|they) holds?",
              "pause, retain, buffer, keep, contain, apply"),
          Word.of("(?:gives?|gave|given|giving) up", "discard, stop, fail"),
          Word.of("believe[sd]?", "accept, assume"),
          Word.of("blame[sd]?", "name as the cause"),
          Word.of("very much more", "far more"),
          Word.of("(?:is|are|was|were|be|been|stays?) away", "unavailable"),
          Word.of("pass(?:es)? by (?:itself|themselves)", "is transient"),
          Word.of("made again", "recreated"),
          Word.of("for good(?=\\s*(?:[.,;:)]|$))", "permanently"),
          Word.of("retained away", "deleted by retention"),
          Word.of("rot(?:s|ted|ten|ting)?", "is corrupted"),
          Word.of("(?:go(?:es)? on|going on|closed|lands?|comes?|clears? up) behind", "after"),
          Word.of(
              "(?<!\\bthere\\s{1,80})(?:is|are|was|were) no (?!longer|more|\\w+er\\b)"
                  + "(?-i:[a-z-]+)",
              "is not a, has no"),
          OURS,
          Word.of("theirs", "name the owner"));

  private static final List<Word> WORDS_IN_LIBRARIES =
      List.of(
          Word.of("we|our", "name the library or the class"),
          Word.of("(?-i:us)", "name the library or the class"));

  /** A word to avoid, and its replacement. */
  private record Word(Pattern pattern, String instead) {

    /** Makes a word from a regular expression, in which a space matches any white space. */
    static Word of(String regex, String instead) {
      return new Word(
          Pattern.compile(
              "(?<![\\w.#-])(?:" + regex.replace(" ", "\\s+") + ")(?![\\w(-])",
              Pattern.CASE_INSENSITIVE),
          instead);
    }

    /** The places of the word in a text, one line each. */
    List<String> in(Path file, String prose) {
      List<String> found = new ArrayList<>();
      Matcher place = pattern.matcher(prose);
      while (place.find()) {
        found.add(
            "%s:%d: \"%s\": write %s"
                .formatted(
                    file,
                    Prose.line(prose, place.start()),
                    place.group().replaceAll("\\s+", " "),
                    instead));
      }
      return found;
    }
  }

  @Test
  void documentsUsePlainWords() throws IOException {
    assertPlain(documents(), Prose::ofMarkdown);
  }

  @Test
  void sentencesOfDocumentsAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      for (Prose.Sentence each : Prose.sentences(Prose.ofMarkdown(Files.readString(document)))) {
        if (each.words() > MOST_WORDS) {
          found.add(
              "%s:%d: %d words: %s"
                  .formatted(
                      document,
                      each.line(),
                      each.words(),
                      each.text().trim().replaceAll("\\s+", " ")));
        }
      }
    }
    assertThat(found).as("sentences of more than %d words", MOST_WORDS).isEmpty();
  }

  @Test
  void commentsUsePlainWords() throws IOException {
    assertPlain(DocumentsTest.files(SOURCES), Prose::ofJava);
  }

  @Test
  void messagesUsePlainWords() throws IOException {
    assertPlain(DocumentsTest.files(MAIN_SOURCES), Prose::ofLiterals);
  }

  @Test
  void scriptsUsePlainWords() throws IOException {
    assertPlain(DocumentsTest.files(SCRIPTS), text -> text);
  }

  private static void assertPlain(List<Path> files, UnaryOperator<String> prose)
      throws IOException {
    assertThat(files).isNotEmpty();
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      String text = prose.apply(Files.readString(file));
      words(file.toString()).forEach(word -> found.addAll(word.in(file, text)));
    }
    assertThat(found).as("words that readers had to read twice").isEmpty();
  }

  private static List<Word> words(String file) {
    return Stream.concat(
            WORDS.stream().filter(word -> !word.equals(OURS) || !file.matches(BENCHMARKS)),
            file.matches(LIBRARIES) ? WORDS_IN_LIBRARIES.stream() : Stream.of())
        .toList();
  }

  /** All documents but the output of runs, which contains names of contenders. */
  private static List<Path> documents() throws IOException {
    return DocumentsTest.files(".*(?<!/results)\\.md");
  }
}
