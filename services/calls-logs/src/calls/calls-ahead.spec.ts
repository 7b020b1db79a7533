import { describe, expect, it, jest } from '@jest/globals';
import type { Standing } from '@parlance/event-sourcing';
import { currentContext, runWithContext } from '@parlance/observability';
import type { CallState } from '../call/call-state.js';
import { CallsAhead } from './calls-ahead.js';

const at = (revision: bigint): Standing<CallState> => ({ state: { phase: 'absent' }, revision });

describe('calls that are ahead of their documents', () => {
  it('reads a stream once for all pages that ask at the same time', async () => {
    const load = jest.fn(async () => at(3n));
    const ahead = new CallsAhead(load);
    await Promise.all(Array.from({ length: 20 }, () => ahead.atLeast('one', 3)));
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('reads a stream again only when the index knows of more', async () => {
    const load = jest.fn(async () => at(3n));
    const ahead = new CallsAhead(load);
    for (const revision of [1, 2, 3]) await ahead.atLeast('one', revision);
    expect(load).toHaveBeenCalledTimes(1);
    await ahead.atLeast('one', 4);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('reads a stream without the deadline of the page that began, because others wait for it too', async () => {
    const seen: unknown[] = [];
    const ahead = new CallsAhead(async () => {
      seen.push(currentContext());
      return at(3n);
    });
    await runWithContext({ requestId: 'r1', deadline: 1, changesNothing: true }, () =>
      ahead.atLeast('one', 3),
    );
    expect(seen).toEqual([{ requestId: 'r1', changesNothing: true }]);
  });

  it('does not remember a read that failed', async () => {
    const load = jest.fn(async () => at(3n)).mockRejectedValueOnce(new Error('away'));
    const ahead = new CallsAhead(load);
    await expect(ahead.atLeast('one', 3)).rejects.toThrow('away');
    await expect(ahead.atLeast('one', 3)).resolves.toEqual({ phase: 'absent' });
  });
});
