// A limit on work that a process does at the same time. Calls that are about to be dialled are one example. Each takes
// connections until its dial is sent, and too many at once are all late.

export class Starts {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the turn has come, with a function to call at its end; a second call of it changes nothing. */
  async enter(): Promise<() => void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    };
  }
}
