// How much of one kind a process does at the same time: calls that are about to be dialled, for example, each of which takes
// connections until its dial is sent. Who takes more than there are makes all of them late.

export class Starts {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when it is one's turn, with what has to be called when it is over; a second time changes nothing. */
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
