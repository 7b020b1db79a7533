// Guarantees: background work leaves connections to requests, waits for nothing that waits for it, and a read that came
// too late does no work.
import { describe, expect, it, jest } from '@jest/globals';
import { runWithContext } from '@parlance/observability';
import { Admission, refuseLateRead } from './admission.js';

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

const gate = (): Gate => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

const request = { requestId: 'r1' };

const admissionTo = (most: number): Admission => new Admission({ most, longestWaitMs: 10_000 });

/** Lets all work begin that may begin now. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Admission', () => {
  it('begins six background works for ten connections, and gives the others their turns', async () => {
    const admission = admissionTo(10);
    const end = gate();
    let begun = 0;
    const works = Array.from({ length: 9 }, () =>
      admission.run(async () => {
        begun += 1;
        await end.opened;
      }),
    );
    await settle();
    expect({ begun, waiting: admission.waiting }).toEqual({ begun: 6, waiting: 3 });
    end.open();
    await Promise.all(works);
    expect({ begun, waiting: admission.waiting }).toEqual({ begun: 9, waiting: 0 });
  });

  it('lets a request begin while background work waits', async () => {
    const admission = admissionTo(1);
    const end = gate();
    const held = [admission.run(() => end.opened), admission.run(() => end.opened)];
    const answer = runWithContext(request, () => admission.run(async () => 'answered'));
    await expect(answer).resolves.toBe('answered');
    end.open();
    await Promise.all(held);
  });

  it('holds the handling of an event to the share of background work, though it has a context', async () => {
    const admission = admissionTo(1);
    const end = gate();
    const handling = () =>
      runWithContext({ ...request, isBackground: true }, () => admission.run(() => end.opened));
    const held = [handling(), handling()];
    await settle();
    expect(admission.waiting).toBe(1);
    end.open();
    await Promise.all(held);
  });

  it('lets work within admitted work begin, which would otherwise wait for itself', async () => {
    const admission = admissionTo(1);
    await expect(admission.run(() => admission.run(async () => 'inner'))).resolves.toBe('inner');
  });

  it('gives no place to work that outlives the work that began it', async () => {
    const admission = admissionTo(1);
    const later = gate();
    let late: Promise<string> | undefined;
    await admission.run(async () => {
      late = later.opened.then(() => admission.run(async () => 'late'));
    });
    const end = gate();
    const held = admission.run(() => end.opened);
    later.open();
    await settle();
    expect(admission.waiting).toBe(1);
    end.open();
    await held;
    await expect(late).resolves.toBe('late');
  });

  it('knows the place of one pool from that of another', async () => {
    const [one, other] = [admissionTo(1), admissionTo(1)];
    const end = gate();
    const held = other.run(() => end.opened);
    const nested = one.run(() => other.run(async () => 'other'));
    await settle();
    expect(other.waiting).toBe(1);
    end.open();
    await held;
    await expect(nested).resolves.toBe('other');
  });

  it('tells background work that gets no turn that the database is not there, and begins it no more', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const admission = admissionTo(1);
      const end = gate();
      const held = admission.run(() => end.opened);
      let hasBegun = false;
      const waiting = admission.run(async () => {
        hasBegun = true;
      });
      const refused = expect(waiting).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        cause: new Error('background work got no turn: the works before it took over 10000 ms'),
      });
      await settle();
      jest.advanceTimersByTime(10_000);
      await refused;
      expect(admission.waiting).toBe(0);
      end.open();
      await held;
      await settle();
      expect(hasBegun).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets all background work begin once the process leaves, so that none waits for a turn', async () => {
    const admission = admissionTo(1);
    const end = gate();
    const held = admission.run(() => end.opened);
    const waiting = admission.run(async () => 'begun');
    await settle();
    expect(admission.waiting).toBe(1);
    admission.leave();
    await expect(waiting).resolves.toBe('begun');
    await expect(admission.run(async () => 'later')).resolves.toBe('later');
    end.open();
    await held;
  });

  it('refuses background work that waits when the database is ended, and begins it no more', async () => {
    const admission = admissionTo(1);
    const end = gate();
    const held = admission.run(() => end.opened);
    let hasBegun = false;
    const waiting = admission.run(async () => {
      hasBegun = true;
    });
    await settle();
    admission.stop();
    await expect(waiting).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: new Error('background work got no turn: the database was ended'),
    });
    end.open();
    await held;
    await settle();
    expect({ hasBegun, waiting: admission.waiting }).toEqual({ hasBegun: false, waiting: 0 });
  });

  it('frees its place when the work fails', async () => {
    const admission = admissionTo(1);
    await expect(admission.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(admission.run(async () => 'next')).resolves.toBe('next');
  });
});

describe('refuseLateRead', () => {
  const past = Date.now() - 1;
  const coming = Date.now() + 60_000;

  it('refuses a read after its deadline', () => {
    const context = { ...request, changesNothing: true, deadline: past };
    expect(() => runWithContext(context, refuseLateRead)).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_TIMEOUT' }),
    );
  });

  it.each([
    ['a read in time', { changesNothing: true, deadline: coming }],
    ['a read without a deadline', { changesNothing: true }],
    ['a change after its deadline', { changesNothing: false, deadline: past }],
  ])('lets %s go on', (_, part) => {
    expect(() => runWithContext({ ...request, ...part }, refuseLateRead)).not.toThrow();
  });

  it('lets work without a request go on', () => {
    expect(refuseLateRead).not.toThrow();
  });
});
