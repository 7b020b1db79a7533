// The live events of one reader. Events beyond its buffer become one event `reload`, so that a slow reader costs no
// more memory than a fast one.
import { type LiveEvent, liveEventPermissions, type ReloadReason } from '@parlance/contracts';
import { counter, liveEventsSent, liveReloads } from '@parlance/metrics';
import type { EventStream, SentEvent } from '@parlance/rpc';
import type { EventIds } from './event-ids.js';
import type { Happening } from './recent-events.js';

export type StreamedSoFar = SentEvent & { readonly id: string };

const sent = counter(liveEventsSent);
const reloads = counter(liveReloads);

export interface LiveStreamOptions {
  readonly organizationId: string;
  readonly permissions: ReadonlySet<string>;
  /** For `reload`, and for signs of life: where the feed is now. */
  readonly head: () => number;
  readonly ids: () => EventIds;
  readonly buffered: number;
  /** False once the credential is gone or opens something else. */
  readonly isStillGood: () => Promise<boolean>;
  readonly closed: (stream: LiveStream) => void;
}

export class LiveStream implements EventStream<StreamedSoFar> {
  readonly #options: LiveStreamOptions;
  #waiting: { readonly sequence: number; readonly event: LiveEvent }[] = [];
  #reload: ReloadReason | undefined;
  #opening: { readonly resumed: boolean } | undefined;
  #isOver = false;
  #wake: () => void = () => undefined;
  /** Events up to here are old news to this reader. */
  #position: number;
  checkedAt = Date.now();

  constructor(options: LiveStreamOptions, position: number) {
    this.#options = options;
    this.#position = position;
  }

  get organizationId(): string {
    return this.#options.organizationId;
  }

  begin(since: readonly Happening[] | undefined, reason: ReloadReason | undefined): void {
    this.#opening = { resumed: since !== undefined };
    this.#reload = reason;
    for (const happening of since ?? []) this.push(happening);
  }

  push({ sequence, told }: Happening): void {
    if (this.#isOver || this.#reload !== undefined || sequence <= this.#position) return;
    this.#position = sequence;
    const { permissions, buffered } = this.#options;
    const allowed = told.filter(({ type }) => permissions.has(liveEventPermissions[type]));
    if (this.#waiting.length + allowed.length > buffered) {
      this.reload('slow');
      return;
    }
    for (const event of allowed) this.#waiting.push({ sequence, event });
    if (allowed.length > 0) this.#wake();
  }

  /** The reader has to read its shown data anew; that includes all waiting events. */
  reload(reason: ReloadReason): void {
    this.#waiting = [];
    this.#reload = reason;
    this.#wake();
  }

  async check(): Promise<void> {
    this.checkedAt = Date.now();
    if (!(await this.#options.isStillGood())) this.cancel();
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.closed(this);
    this.#wake();
  }

  /** The id of a sign of life; undefined while something waits that comes before it. */
  idleId(): string | undefined {
    const isIdle = this.#waiting.length === 0 && this.#reload === undefined && this.#opening === undefined;
    return isIdle ? this.#idOf(this.#options.head()) : undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedSoFar> {
    try {
      while (!this.#isOver) {
        const next = this.#next();
        if (next !== undefined) yield next;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      this.cancel();
    }
  }

  #idOf(sequence: number): string {
    return this.#options.ids().of(sequence);
  }

  #next(): StreamedSoFar | undefined {
    if (this.#opening !== undefined) {
      const data = this.#opening;
      this.#opening = undefined;
      // The waiting events come after this id, so that a reader that leaves now gets them again.
      const [first] = this.#waiting;
      const place = first === undefined ? this.#options.head() : first.sequence - 1;
      return { event: 'open', data, id: this.#idOf(place) };
    }
    if (this.#reload !== undefined) {
      const reason = this.#reload;
      this.#reload = undefined;
      this.#position = Math.max(this.#position, this.#options.head());
      reloads.add({ 'parlance.reload.reason': reason });
      return { event: 'reload', data: { reason }, id: this.#idOf(this.#position) };
    }
    const next = this.#waiting.shift();
    if (next === undefined) return undefined;
    const { sequence, event } = next;
    // Several events may have one place: only the last of them may be the one that a reader has seen.
    const isLast = this.#waiting[0]?.sequence !== sequence;
    sent.add({ 'parlance.live.type': event.type });
    return { event: event.type, data: event, id: this.#idOf(isLast ? sequence : sequence - 1) };
  }
}
