// Requests between services rely on these promises of core NATS.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { connect, createInbox, headers, type Msg, type NatsConnection } from 'nats';
import { type ConformanceTarget, conformanceTarget } from './support.js';

let target: ConformanceTarget;
let asker: NatsConnection;
let answerer: NatsConnection;

beforeAll(async () => {
  target = await conformanceTarget();
  asker = await target.connect('conformance asker');
  answerer = await target.connect('conformance answerer');
});
afterAll(() => target.close());

const newSubject = (): string => `conformance.${randomUUID()}`;

/** Sends a request and resolves with all that comes back to its inbox within the time of a second message. */
const ask = (subject: string, payload = '', header = headers()): Promise<Msg> =>
  new Promise((resolve, reject) => {
    const reply = createInbox();
    asker.subscribe(reply, {
      max: 1,
      callback: (error, message) => (error ? reject(error) : resolve(message)),
    });
    asker.publish(subject, payload, { reply, headers: header });
  });

describe('a request', () => {
  it('reaches one subscriber of a queue group, and each of them in turn', async () => {
    const subject = newSubject();
    const taken = [0, 0, 0];
    for (const member of taken.keys())
      answerer.subscribe(subject, {
        queue: 'copies',
        callback: (_, message) => {
          taken[member] = (taken[member] ?? 0) + 1;
          message.respond();
        },
      });
    await answerer.flush();
    await Promise.all(Array.from({ length: 300 }, () => ask(subject)));
    expect(taken.reduce((sum, one) => sum + one)).toBe(300);
    expect(taken.every((one) => one > 0)).toBe(true);
  });

  it('carries headers both ways, with every value as it was', async () => {
    const subject = newSubject();
    answerer.subscribe(subject, {
      callback: (_, message) => {
        const answer = headers();
        answer.set('x-answer', `${message.headers?.get('x-question')}, answered`);
        message.respond('{"ok":true}', { headers: answer });
      },
    });
    await answerer.flush();
    const question = headers();
    question.set('x-question', 'a: b, "c"');
    const answer = await ask(subject, '{}', question);
    expect(answer.string()).toBe('{"ok":true}');
    expect(answer.headers?.get('x-answer')).toBe('a: b, "c", answered');
  });

  it('that no service subscribes to is answered at once, with status 503 and nothing else', async () => {
    const answer = await ask(newSubject());
    expect([answer.data.length, answer.headers?.code]).toEqual([0, 503]);
  });

  it('to a service that drains is answered, and a later one is told that no service is there', async () => {
    const subject = newSubject();
    const subscription = answerer.subscribe(subject, {
      callback: (_, message) => void message.respond('done'),
    });
    await answerer.flush();
    expect((await ask(subject)).string()).toBe('done');
    await subscription.drain();
    expect((await ask(subject)).headers?.code).toBe(503);
  });
});

describe('the size of a message', () => {
  it('is limited, and the client knows the limit before it sends', async () => {
    const limit = asker.info?.max_payload ?? 0;
    // A finished call with its transcript is the largest message of the platform.
    expect(limit).toBeGreaterThanOrEqual(5 * 1024 * 1024);
    const subject = newSubject();
    const received: number[] = [];
    answerer.subscribe(subject, { callback: (_, message) => void received.push(message.data.length) });
    await answerer.flush();
    const large = new Uint8Array(limit - 1_000);
    asker.publish(subject, large);
    await eventually(async () => expect(received).toEqual([large.length]));
    expect(() => asker.publish(subject, new Uint8Array(limit + 1))).toThrow(
      expect.objectContaining({ code: 'MAX_PAYLOAD_EXCEEDED' }),
    );
  });
});

describe('a connection', () => {
  it('without the right token is refused', async () => {
    const servers = new URL(target.url).host;
    const refused = { code: 'AUTHORIZATION_VIOLATION' };
    await expect(connect({ servers, reconnect: false })).rejects.toMatchObject(refused);
    await expect(connect({ servers, token: 'a guess', reconnect: false })).rejects.toMatchObject(refused);
  });
});
