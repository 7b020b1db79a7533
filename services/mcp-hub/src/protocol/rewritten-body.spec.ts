import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { rewriter } from './rewritten-body.js';

const read = async (chunks: readonly (string | Buffer)[], contentType: string): Promise<string> => {
  const body = rewriter(contentType, (message) => `<${message}>`);
  if (body === undefined) throw new Error('the body is not rewritten');
  for (const chunk of chunks) body.write(chunk);
  body.end();
  return text(body);
};

describe('a rewritten body', () => {
  it('is read by its charset, without a byte order mark', async () => {
    const latin = Buffer.from('{"name":"Müller"}', 'latin1');
    expect(await read([latin], 'application/json; charset=iso-8859-1')).toBe('<{"name":"Müller"}>');
    expect(await read(['\uFEFF{"a":1}'], 'application/json')).toBe('<{"a":1}>');
  });

  it('rewrites each event, wherever the network cuts the stream', async () => {
    const event = 'event: message\r\nid: 7\r\ndata: {"a":"é"}\r\n\r\n';
    const bytes = Buffer.from(event);
    for (let cut = 1; cut < bytes.length; cut += 1)
      expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)], 'text/event-stream')).toBe(
        'event: message\nid: 7\ndata: <{"a":"é"}>\n\n',
      );
  });
});
