package io.tidemark.avro.plan.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The index of an enum's symbol as the reader's index of it, in as few bytes as possible. */
public final class EnumIndex extends Conversion {
  private final List<String> symbols;
  private final int[] indexes;

  /**
   * @param symbols the writer's symbols
   * @param indexes the reader's index of each; negative if the reader lacks the symbol
   */
  public EnumIndex(List<String> symbols, int[] indexes) {
    super("enum to " + name(symbols, indexes));
    this.symbols = List.copyOf(symbols);
    this.indexes = indexes.clone();
  }

  private static String name(List<String> symbols, int[] indexes) {
    var names = new ArrayList<String>();
    for (int i = 0; i < indexes.length; i++) {
      names.add(symbols.get(i) + ": " + (indexes[i] < 0 ? "refuse" : indexes[i]));
    }
    return names.toString();
  }

  @Override
  public Optional<String> refusal() {
    for (int i = 0; i < indexes.length; i++) {
      if (indexes[i] < 0) {
        return Optional.of(missing(i));
      }
    }
    return Optional.empty();
  }

  private String missing(int symbol) {
    return "enum symbol " + symbols.get(symbol) + " is missing in the reader's enum";
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    int index = indexes[(int) Varints.read(source, from)];
    return index < 0 ? REFUSED : Varints.write(index, target, at);
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    return missing((int) Varints.read(source, from));
  }
}
