package io.tidemark.connect.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of documents and of comments that people read. Code, targets of links and quoted
 * messages are replaced by one sign each; every word keeps its line.
 */
final class Prose {
  /** Replaces code; counts as one word of a sentence. */
  private static final String CODE = "0";

  private static final Pattern FENCE = Pattern.compile(" *```.*");
  private static final Pattern INDENTED = Pattern.compile(" {4,}\\S.*");

  /** Code in a line, or in two. Example: {@code `log.id`}. */
  private static final Pattern SPAN = Pattern.compile("`[^`\\n]*(?:\\n(?!\\s*\\n)[^`\\n]*)?`");

  /** Example: {@code ](CONFIG.md#files)}. */
  private static final Pattern TARGET = Pattern.compile("(?<=\\])\\([^)\\n]*\\)");

  private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s)|]+");
  private static final Pattern TAG = Pattern.compile("</?[a-z][^>\\n]*>");

  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\".*?\"\"\""
              + "|\"(?:[^\"\\\\\\n]|\\\\.)*+\""
              + "|'(?:[^'\\\\\\n]|\\\\.)*+'"
              + "|//[^\\n]*"
              + "|/\\*.*?\\*/",
          Pattern.DOTALL);

  private static final Pattern SEVERAL_WORDS = Pattern.compile("[^\\s\"]\\s+[^\\s\"]");

  private static final Pattern COMMENT_SIGNS = Pattern.compile("(?m)/\\*+|\\*+/|//+|^ *\\*");
  private static final Pattern INLINE_TAG =
      Pattern.compile(
          "\\{@(?:code|link|linkplain|literal|value)\\b[^{}]*(?:\\{[^{}]*\\}[^{}]*)*\\}");
  private static final Pattern BLOCK_TAG =
      Pattern.compile("@(?:param|throws|see|exception) +[\\w.#<>]+(?:\\([^)]*\\))?");
  private static final Pattern PREFORMATTED =
      Pattern.compile("<(pre|code)>.*?</\\1>", Pattern.DOTALL);

  /** A quoted message. */
  private static final Pattern QUOTED = Pattern.compile("\"[^\"|\\n]*\"");

  private static final Pattern BLOCK_START = Pattern.compile("\\s*(?:[-*] |\\d+\\. |#+ |> |\\|).*");
  private static final Pattern SENTENCE_END = Pattern.compile("[.!?][)\"*_]*\\s+");

  /**
   * A sentence.
   *
   * @param line the line where it begins, from 1
   */
  record Sentence(int line, String text) {

    /** The number of words; 0 if the sentence consists of code only. */
    int words() {
      return text.codePoints().noneMatch(Character::isLetter)
          ? 0
          : (int)
              List.of(text.trim().split("\\s+", -1)).stream()
                  .filter(token -> token.codePoints().anyMatch(Character::isLetterOrDigit))
                  .count();
    }
  }

  private Prose() {}

  /** The prose of a document in Markdown. */
  static String ofMarkdown(String document) {
    String[] lines = document.split("\n", -1);
    boolean[] code = code(lines);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.length; i++) {
      boolean row = lines[i].startsWith("|");
      String line = row ? without(QUOTED, without(SPAN, lines[i], CODE), CODE) : lines[i];
      text.append(code[i] ? "" : line).append('\n');
    }
    String prose = text.toString();
    for (Pattern each : List.of(SPAN, TARGET, ADDRESS)) {
      prose = without(each, prose, each.equals(TARGET) ? "" : CODE);
    }
    return without(TAG, prose.replace("<br>", ". "), " ");
  }

  /** The comments and the Javadoc of a source in Java. */
  static String ofJava(String source) {
    String text = tokens(source, token -> token.startsWith("/") ? token : "");
    String prose = without(COMMENT_SIGNS, text, " ");
    for (Pattern each : List.of(INLINE_TAG, BLOCK_TAG, PREFORMATTED, SPAN, QUOTED)) {
      prose = without(each, prose, CODE);
    }
    return prose;
  }

  /** The string literals of a source in Java that have several words: messages and texts. */
  static String ofLiterals(String source) {
    return tokens(
        source,
        token ->
            token.startsWith("\"") && SEVERAL_WORDS.matcher(token).find()
                ? token.replace('"', ' ')
                : CODE);
  }

  /** The sentences of a document's prose; a cell of a table has at least one. */
  static List<Sentence> sentences(String prose) {
    List<Sentence> sentences = new ArrayList<>();
    String[] lines = prose.split("\n", -1);
    StringBuilder block = new StringBuilder();
    int begin = 0;
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].isBlank() || BLOCK_START.matcher(lines[i]).matches()) {
        add(block, begin, sentences);
        begin = lines[i].isBlank() ? i + 1 : i;
      }
      if (lines[i].startsWith("|")) {
        for (String cell : lines[i].replace("\\|", "/").split("\\|", -1)) {
          add(new StringBuilder(cell), i, sentences);
        }
        begin = i + 1;
      } else if (!lines[i].isBlank()) {
        block.append(lines[i]).append('\n');
      }
    }
    add(block, begin, sentences);
    return sentences;
  }

  /** The code blocks of a document, each with its lines. */
  static List<List<String>> codeBlocks(String document) {
    List<List<String>> blocks = new ArrayList<>();
    String[] lines = document.split("\n", -1);
    boolean[] code = code(lines);
    for (int i = 0; i < lines.length; i++) {
      if (!code[i]) {
        continue;
      }
      if (i == 0 || !code[i - 1]) {
        blocks.add(new ArrayList<>());
      }
      if (!FENCE.matcher(lines[i]).matches()) {
        blocks.get(blocks.size() - 1).add(lines[i].strip());
      }
    }
    return blocks;
  }

  /** The line of a position, from 1. */
  static int line(String prose, int position) {
    return 1 + lineBreaks(prose.substring(0, position)).length();
  }

  private static void add(StringBuilder block, int begin, List<Sentence> sentences) {
    String text = block.toString();
    int from = 0;
    Matcher end = SENTENCE_END.matcher(text);
    while (end.find()) {
      sentences.add(sentence(text, from, end.end(), begin));
      from = end.end();
    }
    if (!text.substring(from).isBlank()) {
      sentences.add(sentence(text, from, text.length(), begin));
    }
    block.setLength(0);
  }

  private static Sentence sentence(String text, int from, int to, int begin) {
    return new Sentence(begin + line(text, from), text.substring(from, to));
  }

  /**
   * The lines that are code: in fences, with the fences themselves, or indented after an empty
   * line.
   */
  private static boolean[] code(String[] lines) {
    boolean[] code = new boolean[lines.length];
    boolean fenced = false;
    boolean indented = false;
    boolean afterBlank = true;
    for (int i = 0; i < lines.length; i++) {
      boolean fence = FENCE.matcher(lines[i]).matches();
      boolean inFence = fenced || fence;
      fenced ^= fence;
      if (!lines[i].isBlank()) {
        indented = INDENTED.matcher(lines[i]).matches() && (afterBlank || indented);
      }
      afterBlank = lines[i].isBlank();
      code[i] = inFence || (indented && !lines[i].isBlank());
    }
    return code;
  }

  /** The literals and comments of a source, each replaced; every token keeps its line. */
  private static String tokens(String source, UnaryOperator<String> replacement) {
    StringBuilder text = new StringBuilder();
    Matcher token = TOKEN.matcher(source);
    int end = 0;
    while (token.find()) {
      text.append(lineBreaks(source.substring(end, token.start())));
      String replaced = replacement.apply(token.group());
      text.append(replaced);
      if (!replaced.contains("\n")) {
        text.append(lineBreaks(token.group()));
      }
      end = token.end();
    }
    return text.toString();
  }

  private static String without(Pattern part, String text, String instead) {
    return part.matcher(text)
        .replaceAll((MatchResult found) -> instead + lineBreaks(found.group()));
  }

  private static String lineBreaks(String text) {
    return text.replaceAll("[^\\n]", "");
  }
}
