/** Cuts audio, which comes in parts of any length, into frames of one length. */
export class Frames {
  readonly #length: number;
  #rest: Int16Array;

  /**
   * @param length samples
   * @param silence samples before the audio, which shift all frames
   */
  constructor(length: number, silence = 0) {
    this.#length = length;
    this.#rest = new Int16Array(silence);
  }

  cut(samples: Int16Array): Int16Array[] {
    const all = new Int16Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    const whole = all.length - (all.length % this.#length);
    this.#rest = all.slice(whole);
    return Array.from({ length: whole / this.#length }, (_, index) =>
      all.slice(index * this.#length, (index + 1) * this.#length),
    );
  }

  /** What is left, filled up with silence; undefined where nothing is. */
  flush(): Int16Array | undefined {
    if (this.#rest.length === 0) return undefined;
    const last = new Int16Array(this.#length);
    last.set(this.#rest);
    this.#rest = new Int16Array(0);
    return last;
  }
}
