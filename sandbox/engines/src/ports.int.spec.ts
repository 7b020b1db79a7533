import { describe, expect, it } from '@jest/globals';
import { freePort } from './ports.js';

describe('a free port', () => {
  it('is never given to two who do not listen yet', async () => {
    const ports: number[] = [];
    for (let count = 0; count < 1_000; count += 1) ports.push(await freePort());
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('is none that the system gives to outgoing connections', async () => {
    for (let count = 0; count < 50; count += 1) expect(await freePort()).toBeLessThan(32_768);
  });

  it('is the preferred one, also the second time: whoever had it may start again', async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
  });
});
