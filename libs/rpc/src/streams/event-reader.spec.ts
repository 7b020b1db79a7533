import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { headers } from 'nats';
import { playedBroker } from '../testing/played-broker.js';
import { encodeReply } from '../wire/reply.js';
import { EventReader } from './event-reader.js';
import type { Frame } from './frames.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const opening = { data: new TextEncoder().encode(encodeReply({ data: { control: 'control' } })) };
const frame = (content: Frame) => ({ json: () => content });

describe('a reader of a stream', () => {
  it('leaves no timer behind when the whole answer arrives with its opening', async () => {
    const { nats, give, sent } = playedBroker();
    const request = { subject: 'stream', payload: new Uint8Array(), headers: headers(), timeoutMs: 1_000 };
    const opened = new EventReader(nats, 'widgets').open(request);
    give(opening);
    give(frame({ seq: 1, event: 'delta', data: 'One' }));
    give(frame({ seq: 2, end: true }));
    const stream = await opened;
    expect(jest.getTimerCount()).toBe(0);
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toEqual([{ event: 'delta', data: 'One' }]);
    expect(sent.map(({ subject }) => subject)).toEqual(['stream']);
  });
});
