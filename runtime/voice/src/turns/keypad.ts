// Keys of a telephone, collected into what was meant: `#` ends the input, `*` takes it back, and so does a pause end it.

const pauseMs = 2_500;

export class Keypad {
  readonly #onInput: (text: string) => void;
  #keys = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param onInput gets the keys as a person reads them out: `1 2 0 0` */
  constructor(onInput: (text: string) => void) {
    this.#onInput = onInput;
  }

  press(key: string): void {
    clearTimeout(this.#timer);
    if (key === '*') this.#keys = '';
    else if (key === '#') this.#enter();
    else {
      this.#keys += key;
      this.#timer = setTimeout(() => this.#enter(), pauseMs);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#keys = '';
  }

  #enter(): void {
    const keys = this.#keys;
    this.#keys = '';
    if (keys !== '') this.#onInput([...keys].join(' '));
  }
}
