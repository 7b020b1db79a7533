// This gateway's open streams of live events: the right to open one, the events of each reader, and the ends of streams.
import type { Secret } from '@parlance/config';
import { type EventEnvelope, liveEventsOf, type ReloadReason } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { counter, liveStreamsOpen } from '@parlance/metrics';
import type { Access } from '../auth/access.js';
import type { FeedListener } from './broker-feed.js';
import { type EventIds, eventIds } from './event-ids.js';
import { LiveStream } from './live-stream.js';
import { RecentEvents } from './recent-events.js';

export interface LiveStreamsOptions {
  /** The secret that seals ids. */
  readonly secret: Secret;
  /** Streams of one person or key at once (10). */
  readonly perPerson?: number;
  /** Streams of one organization at once (200). */
  readonly perOrganization?: number;
  /** Events that wait for one reader at most (256). */
  readonly buffered?: number;
  /** Events that are remembered for readers that come back (10,000). */
  readonly remembered?: number;
  /** The interval at which a credential is looked up again even without news of it, in milliseconds (60 s). */
  readonly checkEveryMs?: number;
}

export interface OpenedBy {
  readonly access: Access;
  /** The id that the reader has seen last. */
  readonly after: string | undefined;
  readonly isStillGood: () => Promise<boolean>;
}

const open = counter(liveStreamsOpen);
const retryAfterSeconds = 10;
/** Credentials that are looked up at the same time. */
const checkedAtOnce = 8;

export class LiveStreams implements FeedListener {
  readonly #options: LiveStreamsOptions;
  readonly #recent: RecentEvents;
  /** Streams by organization, and counts by person within it. */
  readonly #streams = new Map<string, Set<LiveStream>>();
  readonly #perPerson = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #epoch = '';
  #head = 0;

  constructor(options: LiveStreamsOptions) {
    this.#options = options;
    this.#recent = new RecentEvents(options.remembered);
    const everyMs = options.checkEveryMs ?? 60_000;
    this.#timer = setInterval(() => {
      const due = Date.now() - everyMs;
      void this.recheck((stream) => stream.checkedAt <= due);
    }, everyMs / 4);
    this.#timer.unref();
  }

  begin(epoch: string, after: number): void {
    const isAnother = this.#epoch !== '' && this.#epoch !== epoch;
    this.#epoch = epoch;
    this.#head = after;
    this.#recent.startAfter(after);
    if (isAnother) this.#tellAll('missed');
  }

  event(sequence: number, event: EventEnvelope): void {
    this.#head = sequence;
    const { organizationId } = event;
    const told = liveEventsOf(event);
    if (told.length === 0) return;
    const happening = { sequence, organizationId, told };
    this.#recent.add(happening);
    for (const stream of this.#streams.get(organizationId) ?? []) stream.push(happening);
  }

  missed(upTo: number): void {
    this.#head = upTo;
    this.#recent.startAfter(upTo);
    this.#tellAll('missed');
  }

  /** @throws AppError RATE_LIMITED */
  open({ access, after, isStillGood }: OpenedBy): LiveStream {
    const { organizationId, actor, permissions } = access.caller;
    const person = `${organizationId}|${actor.type}|${actor.id}`;
    const { perPerson = 10, perOrganization = 200, buffered = 256, secret } = this.#options;
    const streams = this.#streams.get(organizationId) ?? new Set();
    const own = this.#perPerson.get(person) ?? 0;
    if (own >= perPerson || streams.size >= perOrganization)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    let ids: { readonly epoch: string; readonly made: EventIds } | undefined;
    const currentIds = (): EventIds => {
      if (ids?.epoch !== this.#epoch)
        ids = { epoch: this.#epoch, made: eventIds(secret, organizationId, this.#epoch) };
      return ids.made;
    };
    const seen = after === undefined ? undefined : currentIds().read(after);
    const since = seen === undefined ? undefined : this.#recent.since(organizationId, seen);
    const stream = new LiveStream(
      {
        ...{ organizationId, isStillGood, buffered, ids: currentIds },
        permissions: new Set(permissions),
        head: () => this.#head,
        closed: (closed) => this.#forget(closed, person),
      },
      since === undefined ? this.#head : (seen ?? this.#head),
    );
    streams.add(stream);
    this.#streams.set(organizationId, streams);
    this.#perPerson.set(person, own + 1);
    open.add({});
    stream.begin(since, reasonOf({ after, seen, isKnown: since !== undefined }));
    return stream;
  }

  /** Ends the streams of credentials that are gone or open something else. */
  async recheck(wanted: (stream: LiveStream) => boolean = () => true): Promise<void> {
    const waiting = this.#all().filter(wanted);
    const work = async (): Promise<void> => {
      for (let stream = waiting.shift(); stream !== undefined; stream = waiting.shift()) await stream.check();
    };
    await Promise.all(Array.from({ length: checkedAtOnce }, work));
  }

  /** Ends every stream; the readers come back to another gateway. */
  stop(): void {
    clearInterval(this.#timer);
    for (const stream of this.#all()) stream.cancel();
  }

  #all(): LiveStream[] {
    return [...this.#streams.values()].flatMap((streams) => [...streams]);
  }

  #tellAll(reason: ReloadReason): void {
    for (const stream of this.#all()) stream.reload(reason);
  }

  #forget(stream: LiveStream, person: string): void {
    const streams = this.#streams.get(stream.organizationId);
    if (streams?.delete(stream) !== true) return;
    if (streams.size === 0) this.#streams.delete(stream.organizationId);
    const left = (this.#perPerson.get(person) ?? 1) - 1;
    if (left > 0) this.#perPerson.set(person, left);
    else this.#perPerson.delete(person);
    open.add({}, -1);
  }
}

/** The reason why a reader with an id cannot go on at its place. */
const reasonOf = ({
  after,
  seen,
  isKnown,
}: {
  readonly after: string | undefined;
  readonly seen: number | undefined;
  readonly isKnown: boolean;
}): ReloadReason | undefined => {
  if (after === undefined || isKnown) return undefined;
  return seen === undefined ? 'unknown_id' : 'too_old';
};
