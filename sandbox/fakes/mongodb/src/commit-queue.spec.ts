// The answers to writers when a commit fails after their work was done, as on a full disk.
import { constants } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { CommitQueue } from './commit-queue.js';

/** As LMDB fails: the reason is a promise in the error. */
function commitFailure(errno: number): Error {
  const commitError = Promise.reject(Object.assign(new Error('No space left on device'), { code: errno }));
  commitError.catch(() => undefined);
  return Object.assign(new Error('Commit failed'), { commitError });
}

/** A queue with a failing first commit, and a count of the times that its changes were taken back. */
function failingOnce(failure: Error): { queue: CommitQueue; undone: () => number } {
  let failures = 1;
  let undone = 0;
  const queue = new CommitQueue(
    async (jobs) => {
      jobs();
      if (failures-- > 0) throw failure;
    },
    () => undone++,
  );
  return { queue, undone: () => undone };
}

describe('a commit that fails', () => {
  it('is undone, told to its writer with the reason, and followed by others', async () => {
    const { queue, undone } = failingOnce(commitFailure(constants.errno.ENOSPC));
    const outcomes = await Promise.allSettled([queue.write(() => 1), queue.write(() => 2)]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 14031, message: 'No space left on device' } },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(undone()).toBe(1);
  });

  it('for another reason says that reason', async () => {
    const { queue } = failingOnce(commitFailure(constants.errno.EIO));
    await expect(queue.write(() => 1)).rejects.toMatchObject({ code: constants.errno.EIO });
    expect(await queue.write(() => 2)).toBe(2);
  });

  it('before it began rejects those that wait for it', async () => {
    const queue = new CommitQueue(
      () => Promise.reject(new Error('no transaction')),
      () => undefined,
    );
    await expect(queue.write(() => 1)).rejects.toThrow('no transaction');
    await queue.close();
  });
});
