package io.tidemark.benchmarks.run;

import java.util.ArrayList;
import java.util.List;

/** The scale of a plot. */
public enum Axis {
  /** From 0 on: for values of one order of magnitude. */
  LINEAR {
    @Override
    List<Double> ticks(double least, double most) {
      double power = Math.pow(10, Math.floor(Math.log10(most)));
      double step = most / power < 2 ? power / 4 : most / power < 5 ? power : 2 * power;
      var ticks = new ArrayList<Double>();
      for (int i = 0; i == 0 || ticks.get(i - 1) < most; i++) {
        ticks.add(i * step);
      }
      return ticks;
    }

    @Override
    double place(double value) {
      return value;
    }
  },
  /** From a power of ten below the least: for values of several orders of magnitude. */
  LOGARITHMIC {
    @Override
    List<Double> ticks(double least, double most) {
      int low = (int) Math.floor(Math.log10(least));
      int high = Math.max(low + 1, (int) Math.ceil(Math.log10(most)));
      var ticks = new ArrayList<Double>();
      for (int power = low; power <= high; power++) {
        ticks.add(Math.pow(10, power));
      }
      return ticks;
    }

    @Override
    double place(double value) {
      return Math.log10(value);
    }
  };

  /**
   * Returns the marked values: the first is at most {@code least}, the last at least {@code most}.
   */
  abstract List<Double> ticks(double least, double most);

  abstract double place(double value);
}
