import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConfigError } from '@parlance/config';
import { createLogger } from './logging/logger.js';
import { type ProcessHost, runMain } from './run-main.js';
import type { RunningService } from './running.js';

class FakeProcess extends EventEmitter implements ProcessHost {
  readonly codes: number[] = [];
  exit(code: number): void {
    this.codes.push(code);
  }
}

const lines: string[] = [];
const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
let host: FakeProcess;

const service = (stop: () => Promise<void>): RunningService => ({ name: 'test', stop: jest.fn(stop) });
const never = (): Promise<void> => new Promise(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  host = new FakeProcess();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('runMain', () => {
  it.each(['SIGTERM', 'SIGINT'])('stops once on %s and exits 0', async (signal) => {
    const running = service(async () => undefined);
    await runMain(async () => running, { host, logger });
    expect(host.codes).toEqual([]);
    host.emit(signal, signal);
    await jest.advanceTimersByTimeAsync(0);
    expect(running.stop).toHaveBeenCalledTimes(1);
    expect(host.codes).toEqual([0]);
  });

  it('exits 1 at once on a second signal', async () => {
    await runMain(async () => service(never), { host, logger });
    host.emit('SIGINT');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(host.codes).toEqual([]);
    host.emit('SIGTERM');
    expect(host.codes).toEqual([1]);
  });

  it('exits 1 when stopping takes longer than 25 s, or fails', async () => {
    await runMain(async () => service(never), { host, logger });
    host.emit('SIGTERM');
    await jest.advanceTimersByTimeAsync(24_999);
    expect(host.codes).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(host.codes).toEqual([1]);

    const failing = new FakeProcess();
    await runMain(async () => service(() => Promise.reject(new Error('no'))), { host: failing, logger });
    failing.emit('SIGTERM');
    await jest.advanceTimersByTimeAsync(0);
    expect(failing.codes).toEqual([1]);
  });

  it.each(['unhandledRejection', 'uncaughtException'])(
    'logs an %s, stops within 5 s and exits 1',
    async (event) => {
      const running = service(never);
      await runMain(async () => running, { host, logger });
      host.emit(event, new Error('boom'));
      await jest.advanceTimersByTimeAsync(4_999);
      expect(running.stop).toHaveBeenCalledTimes(1);
      expect(host.codes).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(host.codes).toEqual([1]);
      expect(lines.some((line) => line.includes('boom'))).toBe(true);
    },
  );

  it('exits 1 after a crash even when it stops well, also when the crash comes during the stop', async () => {
    await runMain(async () => service(async () => undefined), { host, logger });
    host.emit('uncaughtException', new Error('boom'));
    await jest.advanceTimersByTimeAsync(0);
    expect(host.codes).toEqual([1]);

    const late = new FakeProcess();
    let stopped: () => void = () => undefined;
    await runMain(async () => service(() => new Promise((resolve) => (stopped = resolve))), {
      host: late,
      logger,
    });
    late.emit('SIGTERM');
    await jest.advanceTimersByTimeAsync(0);
    late.emit('unhandledRejection', new Error('late'));
    stopped();
    await jest.advanceTimersByTimeAsync(0);
    expect(late.codes).toEqual([1]);
  });

  it('exits 1 when it cannot start, and says in one line what an operator has to mend', async () => {
    const failed = runMain(
      async () => {
        throw new ConfigError([{ variable: 'NATS_URL', problem: 'is missing' }]);
      },
      { host, logger },
    );
    await jest.advanceTimersByTimeAsync(0);
    await failed;
    expect(host.codes).toEqual([1]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('NATS_URL is missing');
    expect(lines[0]).not.toContain('stack');
  });

  it('shows the stack of an error that is no refusal', async () => {
    const bug = () => Promise.reject(new TypeError('a bug'));
    await runMain(bug, { host, logger });
    expect(host.codes).toEqual([1]);
    expect(lines.join('')).toContain('TypeError: a bug');
  });

  it('stops a service that was still starting when the signal came', async () => {
    const running = service(async () => undefined);
    let started: (service: RunningService) => void = () => undefined;
    const main = runMain(() => new Promise((resolve) => (started = resolve)), { host, logger });
    host.emit('SIGTERM');
    await jest.advanceTimersByTimeAsync(0);
    started(running);
    await jest.advanceTimersByTimeAsync(0);
    await main;
    expect(running.stop).toHaveBeenCalledTimes(1);
    expect(host.codes).toEqual([0]);
  });
});
