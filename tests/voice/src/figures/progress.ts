// A bar on a terminal, and a line now and then where the output is no terminal.
const width = 30;
const tenth = 0.1;

export class Progress {
  readonly #label: string;
  readonly #total: number;
  #shown = 0;

  constructor(label: string, total: number) {
    this.#label = label;
    this.#total = total;
  }

  at(done: number, note = ''): void {
    const share = Math.min(1, done / Math.max(1, this.#total));
    const text = `${done}/${this.#total}${note === '' ? '' : `  ${note}`}`;
    if (process.stderr.isTTY) {
      const filled = Math.round(share * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      process.stderr.write(`\r\u001b[K${this.#label} ${bar} ${text}${share === 1 ? '\n' : ''}`);
    } else if (share === 1 || share >= this.#shown + tenth) {
      this.#shown = share;
      process.stderr.write(`${this.#label}: ${text}\n`);
    }
  }
}
