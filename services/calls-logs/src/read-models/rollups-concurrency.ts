// The number of calls in progress at the start of each minute, kept as changes: two per call of any length. The effect
// of an hour or a day on the number is its `net` and `peak`; the effect of a span follows from those of its parts.

export const minutesPerHour = 60;
const minuteMs = 60_000;

/**
 * The course of a span of time: the change of the number, and its highest rise above the start at the start of any
 * minute.
 */
export interface Course {
  readonly net: number;
  readonly peak: number;
}

export interface HourCourse extends Course {
  /** First moment, in milliseconds since 1970. */
  readonly at: number;
}

/** The course over an hour from the change at the start of each of its minutes. */
export const courseOfMinutes = (minutes: readonly number[]): Course => {
  let net = 0;
  let peak = Number.NEGATIVE_INFINITY;
  for (const change of minutes) {
    net += change;
    peak = Math.max(peak, net);
  }
  return { net, peak };
};

/** The course over a day from its hours, in order; a missing hour changes nothing. */
export const courseOfHours = (dayAt: number, hours: readonly HourCourse[]): Course => {
  let net = 0;
  // A day that begins with a quiet hour starts with the number before it.
  let peak = hours[0]?.at === dayAt ? Number.NEGATIVE_INFINITY : 0;
  for (const hour of hours) {
    peak = Math.max(peak, net + hour.peak);
    net += hour.net;
  }
  return { net, peak };
};

/** A stored bucket; with its minutes if it is an hour that a border of the range cuts through. */
export interface StoredCourse extends HourCourse {
  readonly minutes: readonly number[] | null;
}

/**
 * The largest number at the start of any minute from `from` to before `to`.
 * @param before the number at the end of the hour before the one that `from` lies in
 * @param courses from that hour on, in order of time; where there is none, nothing changes
 */
export const peakWithin = (
  from: number,
  to: number,
  before: number,
  courses: readonly StoredCourse[],
): number => {
  let level = before;
  let peak = courses.length === 0 ? before : 0;
  for (const { at, net, peak: rise, minutes } of courses) {
    if (at > from) peak = Math.max(peak, level);
    if (minutes === null) {
      peak = Math.max(peak, level + rise);
      level += net;
      continue;
    }
    minutes.forEach((change, minute) => {
      const moment = at + minute * minuteMs;
      if (moment >= to) return;
      level += change;
      if (moment >= from) peak = Math.max(peak, level);
    });
  }
  return peak;
};
