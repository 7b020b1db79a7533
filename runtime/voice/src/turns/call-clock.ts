// Times of a call, in milliseconds since its answer.

export class CallClock {
  /** Undefined: the call is not answered. */
  answeredAt: number | undefined;

  msOf(time: number): number {
    return Math.max(0, time - (this.answeredAt ?? time));
  }

  nowMs(): number {
    return this.msOf(Date.now());
  }
}
