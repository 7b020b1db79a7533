import { describe, expect, it } from '@jest/globals';
import { AwsChunkedBody } from './aws-chunked.js';

async function* piecesOf(text: string, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size));
}

const read = async (text: string, size = text.length) => {
  const body = new AwsChunkedBody(piecesOf(text, size));
  const pieces: Buffer[] = [];
  for await (const piece of body.content()) pieces.push(piece);
  return { content: Buffer.concat(pieces).toString(), trailers: Object.fromEntries(body.trailers) };
};

const whole = '5\r\nhello\r\nD\r\n\r\n0\r\n wor\r\nld\r\n0\r\nX-Amz-Checksum-CRC32: abc=\r\n\r\n';

describe('an aws-chunked body', () => {
  it('is the same content and trailers in whatever pieces it comes', async () => {
    for (let size = 1; size <= whole.length; size += 1)
      expect(await read(whole, size)).toEqual({
        content: 'hello\r\n0\r\n wor\r\nld',
        trailers: { 'x-amz-checksum-crc32': 'abc=' },
      });
  });

  it('may be empty', async () => {
    expect(await read('0\r\n\r\n')).toEqual({ content: '', trailers: {} });
  });

  it('is refused when it is cut off anywhere', async () => {
    for (let end = 0; end < whole.length; end += 1)
      await expect(read(whole.slice(0, end), 7)).rejects.toThrow(/bytes specified|not well-formed/);
  });

  it.each([
    'hello',
    '5;chunk-signature=00\r\nhello\r\n0\r\n\r\n',
    '-1\r\n',
    '0\r\nno trailer\r\n\r\n',
    `${whole}more\r\n`,
  ])('is refused when it is not framed so: %j', async (text) => {
    await expect(read(text)).rejects.toThrow(/bytes specified|not well-formed/);
  });
});
