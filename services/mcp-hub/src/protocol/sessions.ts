// The open sessions of this process, one for each connection. The first exchange that needs a session opens it. The
// exchanges after it use the session. It is closed after a while without use.
import { McpFailure } from './failures.js';
import type { Session } from './session.js';

/** A connection in one state of its settings. */
export interface SessionKey {
  readonly connectionId: string;
  readonly revision: number;
}

interface Entry {
  readonly revision: number;
  readonly opening: Promise<Session>;
  session: Session | undefined;
  users: number;
  usedAt: number;
}

const idleMs = 300_000;
const most = 500;

/** Waits for a session that others may wait for too, for as long as this one exchange may take. */
const within = async (opening: Promise<Session>, ms: number): Promise<Session> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpFailure('timeout')), ms);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
};

const isGood = ({ session }: Entry): boolean => session === undefined || session.isUsable;

export class Sessions {
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  #isStopping = false;

  /**
   * Does the work in a session of the connection. A session that the server has forgotten is replaced once. That is
   * safe: a server that does not know the session has not done the work.
   * @throws McpFailure
   */
  async use<T>(
    key: SessionKey,
    timeoutMs: number,
    { open, work }: { open: () => Promise<Session>; work: (session: Session, leftMs: number) => Promise<T> },
  ): Promise<T> {
    const until = performance.now() + timeoutMs;
    const leftMs = (): number => Math.max(1, until - performance.now());
    for (let isSecond = false; ; isSecond = true) {
      const entry = this.#entry(key, open);
      const isReused = entry.session !== undefined;
      entry.users += 1;
      try {
        const session = await within(entry.opening, leftMs());
        return await work(session, leftMs());
      } catch (error) {
        const isForgotten = error instanceof McpFailure && error.reason === 'session_lost';
        if (!isForgotten || !isReused || isSecond) throw error;
      } finally {
        entry.users -= 1;
        entry.usedAt = performance.now();
        this.#leave(key.connectionId, entry);
      }
    }
  }

  /** Ends the session of a connection that was changed or disconnected. */
  forget(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry !== undefined) this.#retire(connectionId, entry);
  }

  /** Closes sessions without users. */
  sweep(): void {
    const idle = [...this.#entries]
      .filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const tooMany = this.#entries.size - most;
    for (const [index, [id, entry]] of idle.entries()) {
      if (index < tooMany || performance.now() - entry.usedAt > idleMs) this.#retire(id, entry);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const [id, entry] of this.#entries) this.#retire(id, entry, true);
    await Promise.all(this.#closing);
  }

  #entry({ connectionId, revision }: SessionKey, open: () => Promise<Session>): Entry {
    if (this.#isStopping) throw new McpFailure('platform');
    const known = this.#entries.get(connectionId);
    if (known !== undefined && known.revision === revision && isGood(known)) return known;
    if (known !== undefined) this.#retire(connectionId, known);
    const entry: Entry = {
      revision,
      opening: open(),
      session: undefined,
      users: 0,
      usedAt: performance.now(),
    };
    this.#entries.set(connectionId, entry);
    entry.opening.then(
      (session) => {
        entry.session = session;
        // All users may have given up meanwhile, or the connection is gone.
        if (this.#entries.get(connectionId) !== entry && entry.users === 0) this.#close(entry);
      },
      () => {
        if (this.#entries.get(connectionId) === entry) this.#entries.delete(connectionId);
      },
    );
    return entry;
  }

  /** The last exchange of a session that is not to be used any more closes it. */
  #leave(connectionId: string, entry: Entry): void {
    const isCurrent = this.#entries.get(connectionId) === entry;
    if (isCurrent && !isGood(entry)) this.#retire(connectionId, entry);
    else if (!isCurrent && entry.users === 0) this.#close(entry);
  }

  #retire(connectionId: string, entry: Entry, atOnce = false): void {
    if (this.#entries.get(connectionId) === entry) this.#entries.delete(connectionId);
    if (entry.users === 0 || atOnce) this.#close(entry);
  }

  #close({ session, opening }: Entry): void {
    const closing = (session === undefined ? opening : Promise.resolve(session))
      .then((opened) => opened.close())
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
