import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventParser, serverEvents } from './event-stream.js';

const stream =
  'event: text\ndata: {"delta":"Grüße"}\n\n: still here\n\nevent: done\r\ndata: a\r\ndata: b\r\n\r\n';
const events = [
  { name: 'text', data: '{"delta":"Grüße"}' },
  { name: 'done', data: 'a\nb' },
];

describe('a stream of events', () => {
  it('gives the same events however the network cuts it, even inside of a letter', async () => {
    const bytes = new TextEncoder().encode(stream);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            for (const [index, end] of edges.slice(1).entries())
              controller.enqueue(bytes.slice(edges[index], end));
            controller.close();
          },
        });
        const read = [];
        for await (const event of serverEvents(body)) read.push(event);
        expect(read).toEqual(events);
      }),
    );
  });

  it('does not tell an event that is cut off', () => {
    const parse = eventParser();
    expect(parse('event: done\ndata: {"turn"')).toEqual([]);
    expect(parse(':1}\n\n')).toEqual([{ name: 'done', data: '{"turn":1}' }]);
  });
});
