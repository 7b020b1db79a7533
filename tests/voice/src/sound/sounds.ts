// When a voice is heard in audio that arrives frame by frame.

/** Samples above this are a voice, not the noise of a codec. */
const audible = 400;

export const isAudible = (samples: Int16Array): boolean =>
  samples.some((sample) => Math.abs(sample) > audible);

/** A gap between two sounds of one voice is shorter than this. */
export const pauseMs = 250;

export class Sounds {
  /** The times of the audible frames. */
  readonly #times: number[] = [];
  readonly #frameMs: number;

  /** @param frameMs the length of a frame */
  constructor(frameMs: number) {
    this.#frameMs = frameMs;
  }

  heard(at: number): void {
    this.#times.push(at);
  }

  get last(): number | undefined {
    return this.#times.at(-1);
  }

  /** The first sound after a time. A click of one frame is none: another sound follows within two frames. */
  firstAfter(time: number): number | undefined {
    for (const [index, at] of this.#times.entries()) {
      if (at <= time) continue;
      const next = this.#times[index + 1];
      if (next !== undefined && next - at <= this.#frameMs * 3) return at;
    }
    return undefined;
  }

  /** The last sound of the voice that was heard at a time: a silence of `leastMs` follows it. */
  quietFrom(time: number, leastMs = pauseMs): number {
    let last = time;
    for (const at of this.#times) {
      if (at <= time) continue;
      if (at - last > leastMs) break;
      last = at;
    }
    return last;
  }

  /** The voice has been silent for this long at a time. */
  silentFor(now: number): number {
    return this.last === undefined ? Number.POSITIVE_INFINITY : now - this.last;
  }

  /** Audible milliseconds between two times. */
  audibleMs(from: number, to: number): number {
    return this.#times.filter((at) => at > from && at <= to).length * this.#frameMs;
  }
}
