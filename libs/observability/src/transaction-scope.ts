// Whether the work at hand runs inside an open database transaction. It follows the work through awaits.
import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  isOpen: boolean;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** Runs `work` as the work of a transaction. What it started and did not await is outside once it has settled. */
export const inTransactionScope = async <T>(work: () => Promise<T>): Promise<T> => {
  const scope: Scope = { isOpen: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOpen = false;
  }
};

/** Runs `work` as if no transaction were open. */
export const outsideTransactionScope = <T>(work: () => T): T => scopes.run(undefined, work);

/** True inside of a transaction that is open. */
export const isInTransaction = (): boolean => scopes.getStore()?.isOpen === true;

let isRefused = false;

/**
 * Makes a request inside a transaction an error in this process. Tests do so; in production, a transaction that waits is better than
 * a command that fails.
 */
export const refuseRequestsInTransactions = (): void => {
  isRefused = true;
};

/**
 * Called before a request to another service, which would hold the connection and the locks of a transaction for as long as the
 * service takes.
 * @throws Error inside a transaction, where this process refuses such requests
 */
export const checkRequest = (id: string): void => {
  if (isRefused && isInTransaction()) throw new Error(`${id} is requested inside a database transaction`);
};
