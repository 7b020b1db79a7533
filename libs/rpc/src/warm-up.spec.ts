import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Callable, contract, type Operation } from '@parlance/contracts';
import { type WarmUpOptions, warmUp } from './warm-up.js';

afterEach(() => {
  jest.useRealTimers();
});

interface Seen {
  readonly row: Callable;
  readonly request: { readonly caller: { readonly organizationId: string } };
}

const warmed = (behave: () => Promise<unknown> = async () => []) => {
  const seen: Seen[] = [];
  const options: WarmUpOptions = {
    service: 'calls-logs',
    handlerOf: (row) => (request: Seen['request']) => {
      seen.push({ row, request });
      return behave() as Promise<never>; // Nest declares observables; handlers return values
    },
    settled: async (result) => result,
  };
  return { seen, done: warmUp(options) };
};

describe('warming up', () => {
  it('reads what the service lists, for no organization', async () => {
    const { seen, done } = warmed();
    await done;
    const ids = new Set(seen.map(({ row }) => row.id));
    expect([...ids]).toEqual(expect.arrayContaining(['calls.list', 'calls.live', 'dashboard.summary']));
    expect(new Set(seen.map(({ request }) => request.caller.organizationId))).toEqual(new Set(['']));
  });

  it('changes nothing, and asks for no single thing', async () => {
    const { seen, done } = warmed();
    await done;
    const rows = seen.map(({ row }) => row as Operation); // only operations have a method
    expect(rows.filter(({ method, path }) => method !== 'GET' || path.includes('{'))).toEqual([]);
    expect(rows.map(({ id }) => id)).not.toContain(contract.callsExport.id);
  });

  it('ends with the first failure: requests are told what is down', async () => {
    const { seen, done } = warmed(async () => {
      throw new Error('the store is away');
    });
    await done;
    expect(seen).toHaveLength(1);
  });

  it('does not wait for a read that hangs', async () => {
    jest.useFakeTimers();
    const { done } = warmed(() => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(2_000);
    await expect(done).resolves.toBeUndefined();
  });
});
