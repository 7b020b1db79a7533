import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lineOf, requestLines } from './logs.js';

const line = (requestId: string, msg: string): string =>
  JSON.stringify({
    level: 'warn',
    time: '2026-03-01T10:00:00.000Z',
    service: 'calls-logs',
    requestId,
    ms: 5,
    msg,
  });

describe('log lines of a request', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-logs-'));
  beforeAll(() => {
    writeFileSync(
      join(directory, 'services.log'),
      `${line('r1', 'one')}\n${line('r2', 'two')}\nplain text about r1\n`,
    );
    writeFileSync(join(directory, 'other.txt'), line('r1', 'not a log'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('are found in folders and in what is piped in, and nothing else is', async () => {
    const input = Readable.from([`gateway-1  | ${line('r1', 'three')}\n${line('r2', 'four')}\n`]);
    const found = await requestLines([directory, '-'], 'r1', input);
    expect(found.map(({ message }) => message)).toEqual(['one', 'plain text about r1', 'three']);
  });

  it('lose what every line says and keep the rest', () => {
    expect(lineOf(line('r1', 'one'), 'r1')).toEqual({
      time: '2026-03-01T10:00:00.000Z',
      service: 'calls-logs',
      level: 'warn',
      message: 'one',
      fields: { ms: 5 },
    });
    expect(lineOf(line('r1', 'one'), 'r2')).toBeUndefined();
  });

  it('that are cut off in the middle are shown as they are', () => {
    expect(lineOf('{"requestId":"r1","ms', 'r1')).toMatchObject({ message: '{"requestId":"r1","ms' });
  });

  it('in a file that is not there are a mistake of the caller', async () => {
    await expect(requestLines([join(directory, 'none')], 'r1', Readable.from([]))).rejects.toThrow('no file');
  });
});
