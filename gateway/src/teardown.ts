// The stop of a gateway.
import type { Logger, RunningPart } from '@parlance/observability';

/** Undoes the steps of the start, last first, each step even after a failure of the others. */
export class Teardown {
  readonly #steps: { readonly name: string; readonly run: () => unknown }[] = [];
  readonly #parts: RunningPart[] = [];
  readonly #logger: Logger;
  #running: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(name: string, run: () => unknown): void {
    this.#steps.push({ name, run });
  }

  /** A background part: stopped in its turn, and its trouble is told by readiness reports. */
  own(part: RunningPart): void {
    this.#parts.push(part);
    this.add(part.name, () => part.stop());
  }

  get parts(): readonly RunningPart[] {
    return this.#parts;
  }

  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (const { name, run } of this.#steps.reverse()) {
      try {
        await run();
      } catch (error) {
        this.#logger.warn({ err: error, part: name }, 'a part did not stop in order');
      }
    }
  }
}
