import { afterEach, expect, it, jest } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { Gateway } from './gateway.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('waits for the slowest tool longer than the gateway does, and for every other answer no longer than before', async () => {
  const limits = jest.spyOn(AbortSignal, 'timeout');
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    throw new TypeError('nobody listens');
  });
  const gateway = new Gateway('http://127.0.0.1:1').as({});
  const failed = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

  await expect(gateway.call(contract.callerGet, {})).rejects.toEqual(failed);
  expect(Math.max(...limits.mock.calls.flat())).toBe(45_000);

  limits.mockClear();
  const params = { mcpConnectionId: '018f0000-0000-7000-8000-000000000001', toolName: 'slow' };
  await expect(gateway.call(contract.mcpExecute, { params, body: {} })).rejects.toEqual(failed);
  expect(Math.min(...limits.mock.calls.flat())).toBeGreaterThan(contract.mcpExecute.answerWithinMs);
});
