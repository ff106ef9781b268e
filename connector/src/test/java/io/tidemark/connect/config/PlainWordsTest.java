package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents, Javadoc and comments use plain words and short sentences. */
class PlainWordsTest {
  private static final Path ROOT = Path.of("..");
  private static final int MOST_WORDS = 38;

  /** Example: {@code <module>local-stack/neighbour</module>}. */
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private static final Set<String> LIBRARIES = Set.of("fast-avro", "registry-client");
  private static final Set<String> OF_LIBRARIES = Set.of("FAST-AVRO.md", "REGISTRY.md");

  private static final List<Word> WORDS =
      List.of(
          Word.of("stands?|stood|standing", "be, remain, be named; replace for \"stand for\""),
          Word.of("tells?|told|telling", "report, return, show, request; distinguish"),
          // A value of a setting, in a text that Connect shows, too: "hold: ..." and "[advance,
          // hold]".
          Word.of(
              "(?:holds?|held|holding)(?![:\\]])", "pause, retain, buffer, keep, contain, apply"),
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
          Word.of("ours", "Tidemark's, the connector's"),
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
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      String prose = Prose.ofMarkdown(Files.readString(document));
      words(OF_LIBRARIES.contains(document.getFileName().toString()))
          .forEach(word -> found.addAll(word.in(document, prose)));
    }
    assertThat(found).as("words that readers had to read twice").isEmpty();
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
    List<String> found = new ArrayList<>();
    for (String module : modules()) {
      List<Word> words = words(LIBRARIES.contains(module));
      for (Path source : sources(module)) {
        String prose = Prose.ofJava(Files.readString(source));
        words.forEach(word -> found.addAll(word.in(source, prose)));
      }
    }
    assertThat(found).as("words that readers had to read twice").isEmpty();
  }

  private static List<Word> words(boolean ofLibrary) {
    return ofLibrary ? Stream.concat(WORDS.stream(), WORDS_IN_LIBRARIES.stream()).toList() : WORDS;
  }

  private static List<Path> documents() throws IOException {
    // The output of a run contains names of contenders.
    return DocumentsTest.files(".*(?<!/results)\\.md");
  }

  private static List<String> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> module.group(1))
        .toList();
  }

  private static List<Path> sources(String module) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : List.of("src/main/java", "src/test/java")) {
      Path root = ROOT.resolve(module).resolve(folder);
      if (Files.isDirectory(root)) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
        }
      }
    }
    return sources;
  }
}
