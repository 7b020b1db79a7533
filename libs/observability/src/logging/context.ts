// The context of the work at hand: its request, organization and actor. It follows the request through awaits, so that
// log lines need not name it.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface WorkContext {
  readonly requestId: string;
  readonly organizationId?: string;
  /** `user:<id>`, `key:<id>` or `platform:<id>`. */
  readonly actor?: string;
  /** The time until which the caller waits for an answer, in epoch milliseconds; absent without a limit. */
  readonly deadline?: number;
  /** The request changes nothing, so an answer after its deadline helps no caller. */
  readonly changesNothing?: boolean;
  /** No caller waits for the work, such as the handling of an event: work of requests goes first. */
  readonly isBackground?: boolean;
}

const storage = new AsyncLocalStorage<WorkContext>();

/** Runs `work`, and everything it awaits, in this context. */
export const runWithContext = <T>(context: WorkContext, work: () => T): T => storage.run(context, work);

/**
 * Runs work that several requests share, in the context of the one that began it. The deadline of that request ends
 * nothing then, because the others may wait longer.
 */
export const runWithoutDeadline = <T>(work: () => T): T => {
  const context = storage.getStore();
  if (context === undefined) return work();
  const { deadline, ...shared } = context;
  return storage.run(shared, work);
};

/** The context of the work at hand; undefined outside of any request. */
export const currentContext = (): WorkContext | undefined => storage.getStore();
