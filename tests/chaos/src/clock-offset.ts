// Loaded into a process before anything else, it shifts that process's clock. Its records look earlier or later than
// they are, and another process with the right time takes its work over at once.
const offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const RealDate = Date;

class OffsetDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    // A date with arguments keeps its meaning; only "now" is moved.
    super(...((given.length === 0 ? [RealDate.now() + offsetMs] : given) as [number])); // as Date takes them
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

Object.assign(globalThis, { Date: OffsetDate });
