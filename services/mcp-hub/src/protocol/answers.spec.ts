import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@parlance/json';
import { Answers } from './answers.js';

const endless = { atEnd: () => undefined };

const answered = (id: string): string => {
  const answers = new Answers();
  answers.expect({ id: 1, method: 'tools/call' }, endless);
  const text = `{"jsonrpc":"2.0","id":${id},"result":{"n":9007199254740993,"total":10.50}}`;
  const { result } = JSON.parse(answers.forClient(text)) as { result: Parameters<Answers['valueOf']>[0] };
  return stringifyJson(answers.valueOf(result));
};

describe('the answers of a server', () => {
  it.each(['1', '"1"', '1.0'])('keep every digit, and are found by their request, for the id %s', (id) => {
    expect(answered(id)).toBe('{"n":9007199254740993,"total":10.50}');
  });

  it('leave a message alone that answers no request', () => {
    const text = '{"jsonrpc":"2.0","id":2,"result":{"n":1.0}}';
    expect(new Answers().forClient(text)).toBe(text);
  });
});
