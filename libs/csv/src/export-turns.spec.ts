import { describe, expect, it } from '@jest/globals';
import { ExportTurns } from './export-turns.js';

async function* pieces() {
  yield 'a';
  yield 'b';
}
const textOf = async (stream: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
};
const limited = expect.objectContaining({ code: 'RATE_LIMITED' });

describe('exports of an organization', () => {
  it('are made one at a time, beside those of other organizations', async () => {
    const turns = new ExportTurns();
    const { signal } = new AbortController();
    const first = turns.take('ours', signal, pieces);
    expect(() => turns.take('ours', signal, pieces)).toThrow(limited);
    expect(await textOf(turns.take('theirs', signal, pieces))).toBe('ab');
    expect(await textOf(first)).toBe('ab');
    expect(await textOf(turns.take('ours', signal, pieces))).toBe('ab');
  });

  it('give their turn back when the reader leaves before the first piece, and only their own turn', async () => {
    const turns = new ExportTurns();
    const gone = new AbortController();
    const first = turns.take('ours', gone.signal, pieces);
    gone.abort();
    const { signal } = new AbortController();
    turns.take('ours', signal, pieces);
    await textOf(first);
    expect(() => turns.take('ours', signal, pieces)).toThrow(limited);
  });
});
