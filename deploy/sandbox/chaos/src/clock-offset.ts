// Loaded into a process before anything else, it sets that process's clock: what it records looks as if it had happened
// earlier or later, and whoever comes after it with the right time takes it over at once.
const offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const RealDate = Date;

class OffsetDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    // With arguments a date is what it says; only "now" is moved.
    super(...((given.length === 0 ? [RealDate.now() + offsetMs] : given) as [number])); // as Date takes them
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

Object.assign(globalThis, { Date: OffsetDate });
