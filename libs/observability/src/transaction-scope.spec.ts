import { describe, expect, it } from '@jest/globals';
import {
  checkRequest,
  inTransactionScope,
  isInTransaction,
  outsideTransactionScope,
  refuseRequestsInTransactions,
} from './transaction-scope.js';

describe('the scope of a transaction', () => {
  it('holds for everything that the work awaits, and ends with the work', async () => {
    const seen = await inTransactionScope(async () => {
      await Promise.resolve();
      return isInTransaction();
    });
    expect([seen, isInTransaction()]).toEqual([true, false]);
  });

  it('does not follow work that was started inside and outlives the transaction', async () => {
    let commit = (): void => undefined;
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let detached: Promise<boolean> | undefined;
    await inTransactionScope(async () => {
      detached = committed.then(() => isInTransaction());
    });
    commit();
    expect(await detached).toBe(false);
  });

  it('ends when the work fails', async () => {
    let after: Promise<boolean> | undefined;
    const work = inTransactionScope(async () => {
      after = Promise.resolve().then(async () => {
        await work.catch(() => undefined);
        return isInTransaction();
      });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await after).toBe(false);
  });

  it('refuses a request inside it in a process that asks for that, and no other request', async () => {
    const request = async (): Promise<void> => checkRequest('agents.forCall');
    refuseRequestsInTransactions();
    await request();
    await expect(inTransactionScope(request)).rejects.toThrow(
      'agents.forCall is requested inside a database transaction',
    );
  });

  it('can be left for work that has a reason of its own', async () => {
    expect(await inTransactionScope(async () => outsideTransactionScope(isInTransaction))).toBe(false);
  });
});
