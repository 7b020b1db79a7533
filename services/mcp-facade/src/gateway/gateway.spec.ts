import { afterEach, expect, it, jest } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { parseJson, stringifyJson } from '@parlance/json';
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

it('keeps every digit of numbers in requests and answers', async () => {
  const numbers = '[9007199254740993,-0,1.0,1E400]';
  const sent: unknown[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    sent.push(init?.body);
    return new Response(`{"success":true,"message":"done","data":{"content":${numbers}}}`, {
      headers: { 'content-type': 'application/json' },
    });
  });
  const gateway = new Gateway('http://127.0.0.1:1').as({});
  const params = { mcpConnectionId: '018f0000-0000-7000-8000-000000000001', toolName: 'slow' };
  const body = { arguments: { list: parseJson(numbers) } };
  const { data } = await gateway.call(contract.mcpExecute, { params, body });
  expect(sent).toEqual([`{"arguments":{"list":${numbers}}}`]);
  expect(stringifyJson(data)).toBe(`{"content":${numbers}}`);
});
