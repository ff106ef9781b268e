package io.tidemark.benchmarks.records;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.Encoder;

/**
 * Rows of 31 columns as in the "on-time performance" table of the U.S. Bureau of Transportation
 * Statistics: a date, ids, codes, names, times and delays.
 *
 * <p>The table itself is not included: rows are generated with its columns and plausible
 * distributions. Busy airports and carriers are more frequent. Most flights are a few minutes early
 * and some are very late. Two in a hundred are cancelled and have no times. One in five of the
 * others has a cause of delay.
 */
final class AirlineRows {
  /** 2015-01-01, in days since 1970. */
  private static final int FIRST_DAY = 16_436;

  private static final String[] CARRIERS = {
    "WN", "DL", "AA", "OO", "UA", "EV", "B6", "AS", "NK", "MQ", "F9", "HA", "VX"
  };

  private static final String[] AIRPORTS = {
    "ATL", "ORD", "DFW", "DEN", "LAX", "SFO", "PHX", "IAH", "LAS", "MSP", "SEA", "MCO", "DTW",
    "BOS", "EWR", "CLT", "LGA", "SLC", "JFK", "BWI", "MDW", "DCA", "FLL", "SAN", "MIA", "PHL",
    "TPA", "DAL", "HOU", "BNA", "PDX", "STL", "HNL", "OAK", "AUS", "MSY", "MCI", "SJC", "SMF",
    "SNA"
  };

  private static final String[] CITIES = {
    "Atlanta, GA", "Chicago, IL", "Dallas/Fort Worth, TX", "Denver, CO", "Los Angeles, CA",
    "San Francisco, CA", "Phoenix, AZ", "Houston, TX", "Las Vegas, NV", "Minneapolis, MN"
  };

  private AirlineRows() {}

  static ReferenceRecord airline31() {
    return ReferenceRecord.of("Airline-31", schema(), AirlineRows::write);
  }

  private static Schema schema() {
    Schema date = LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
    return SchemaBuilder.record("Flight")
        .namespace("io.tidemark.benchmarks")
        .fields()
        .name("flightDate")
        .type(date)
        .noDefault()
        .requiredString("carrier")
        .requiredInt("airlineId")
        .optionalString("tailNumber")
        .requiredInt("flightNumber")
        .requiredInt("originAirportId")
        .requiredString("origin")
        .requiredString("originCityName")
        .requiredString("originState")
        .requiredInt("destinationAirportId")
        .requiredString("destination")
        .requiredString("destinationCityName")
        .requiredString("destinationState")
        .requiredInt("scheduledDeparture")
        .optionalInt("departure")
        .optionalDouble("departureDelay")
        .optionalDouble("taxiOut")
        .optionalInt("wheelsOff")
        .optionalInt("wheelsOn")
        .optionalDouble("taxiIn")
        .requiredInt("scheduledArrival")
        .optionalInt("arrival")
        .optionalDouble("arrivalDelay")
        .requiredBoolean("cancelled")
        .optionalString("cancellationCode")
        .requiredBoolean("diverted")
        .requiredDouble("scheduledElapsed")
        .optionalDouble("elapsed")
        .optionalDouble("airTime")
        .requiredDouble("distance")
        .optionalDouble("carrierDelay")
        .endRecord();
  }

  private static void write(SplittableRandom random, Encoder out) throws IOException {
    boolean cancelled = random.nextInt(50) == 0;
    int carrier = busy(random, CARRIERS.length);
    int departure = random.nextInt(5 * 60, 24 * 60);
    int airMinutes = random.nextInt(35, 340);
    int delay = delay(random);
    int taxiOut = random.nextInt(8, 28);
    int taxiIn = random.nextInt(3, 14);

    out.writeInt(FIRST_DAY + random.nextInt(31));
    out.writeString(CARRIERS[carrier]);
    out.writeInt(19_393 + 37 * carrier);
    boolean planeKnown = !cancelled || random.nextBoolean();
    out.writeIndex(planeKnown ? 1 : 0);
    if (planeKnown) {
      out.writeString("N" + random.nextInt(100, 1_000) + CARRIERS[carrier]);
    }
    out.writeInt(random.nextInt(1, 7_400));
    airport(random, out);
    airport(random, out);
    out.writeInt(clock(departure));
    optionalInt(out, !cancelled, clock(departure + delay));
    optionalDouble(out, !cancelled, delay);
    optionalDouble(out, !cancelled, taxiOut);
    optionalInt(out, !cancelled, clock(departure + delay + taxiOut));
    optionalInt(out, !cancelled, clock(departure + delay + taxiOut + airMinutes));
    optionalDouble(out, !cancelled, taxiIn);
    out.writeInt(clock(departure + airMinutes + 25));
    optionalInt(out, !cancelled, clock(departure + delay + taxiOut + airMinutes + taxiIn));
    optionalDouble(out, !cancelled, delay + taxiOut + taxiIn - 25);
    out.writeBoolean(cancelled);
    out.writeIndex(cancelled ? 1 : 0);
    if (cancelled) {
      out.writeString(String.valueOf((char) ('A' + random.nextInt(4))));
    }
    out.writeBoolean(!cancelled && random.nextInt(400) == 0);
    out.writeDouble(airMinutes + 25);
    optionalDouble(out, !cancelled, taxiOut + airMinutes + taxiIn);
    optionalDouble(out, !cancelled, airMinutes);
    out.writeDouble(airMinutes * 8 - random.nextInt(60));
    optionalDouble(out, !cancelled && delay >= 15, Math.max(0, delay - random.nextInt(30)));
  }

  private static void airport(SplittableRandom random, Encoder out) throws IOException {
    int airport = busy(random, AIRPORTS.length);
    String city = CITIES[airport % CITIES.length];
    out.writeInt(10_397 + 113 * airport);
    out.writeString(AIRPORTS[airport]);
    out.writeString(city);
    out.writeString(city.substring(city.length() - 2));
  }

  /** Returns a random index; small ones are more likely. */
  private static int busy(SplittableRandom random, int count) {
    double uniform = random.nextDouble();
    return (int) (uniform * uniform * count);
  }

  /**
   * Returns a delay in minutes: two flights in three leave up to 10 minutes early, the others late,
   * a few of them by hours.
   */
  private static int delay(SplittableRandom random) {
    return random.nextInt(3) < 2
        ? -random.nextInt(11)
        : (int) (-28 * Math.log(1 - random.nextDouble()));
  }

  /** Converts minutes since midnight to the table's form: 14:05 is 1405. */
  private static int clock(int minutes) {
    int ofDay = Math.floorMod(minutes, 24 * 60);
    return ofDay / 60 * 100 + ofDay % 60;
  }

  private static void optionalInt(Encoder out, boolean there, int value) throws IOException {
    out.writeIndex(there ? 1 : 0);
    if (there) {
      out.writeInt(value);
    }
  }

  private static void optionalDouble(Encoder out, boolean there, double value) throws IOException {
    out.writeIndex(there ? 1 : 0);
    if (there) {
      out.writeDouble(value);
    }
  }
}
