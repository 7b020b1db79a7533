import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { NatsConnection } from 'nats';
import { Publisher } from './publisher.js';

const setUp = (collects = true) => {
  const sent: string[] = [];
  const nats = {
    publish: (subject: string) => {
      if (subject === 'too large') throw new Error('too large');
      sent.push(subject);
    },
  } as unknown as NatsConnection; // all that a publisher uses
  const failures: unknown[] = [];
  const publisher = new Publisher(nats, { collects });
  const publish = (subject: string): void =>
    publisher.publish({ subject, payload: '', onFailure: (error) => failures.push(error) });
  return { publisher, publish, sent, failures };
};

it('sends the messages of an iteration at its end, in their order', async () => {
  const { publish, sent } = setUp();
  for (const subject of ['a', 'b', 'c']) publish(subject);
  expect(sent).toEqual([]);
  await setImmediate();
  expect(sent).toEqual(['a', 'b', 'c']);
  publish('d');
  await setImmediate();
  expect(sent).toEqual(['a', 'b', 'c', 'd']);
});

it('sends everything when it is flushed before the end of the iteration', () => {
  const { publisher, publish, sent } = setUp();
  for (const subject of ['a', 'b']) publish(subject);
  publisher.flush();
  expect(sent).toEqual(['a', 'b']);
});

it('reports a message that cannot be published, and sends those behind it', async () => {
  const { publish, sent, failures } = setUp();
  for (const subject of ['too large', 'a', 'too large', 'b']) publish(subject);
  await setImmediate();
  expect(sent).toEqual(['a', 'b']);
  expect(failures).toHaveLength(2);
});

it('sends each message at once where it collects none', () => {
  const { publish, sent } = setUp(false);
  for (const subject of ['a', 'b']) publish(subject);
  expect(sent).toEqual(['a', 'b']);
});
