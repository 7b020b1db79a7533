// The sentence about a value that the contract does not take.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type RawIssue, wordsOf } from './issue-words.js';

const said = (schema: z.ZodType, value: unknown): string | undefined => {
  const result = schema.safeParse(value, { error: (issue) => wordsOf(issue as RawIssue) }); // it reads optional fields alone
  return result.error?.issues[0]?.message;
};

describe('a value that does not fit', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string().min(2), 'a', 'Write at least 2 characters.'],
    [z.string().min(1), '', 'This is needed.'],
    [z.string().max(3), 'abcd', 'Write at most 3 characters.'],
    [z.int().min(1), 0, 'Must be 1 or more.'],
    [z.array(z.string()).max(1), ['a', 'b'], 'Keep at most 1.'],
    [z.email(), 'nobody', 'This is not an e-mail address.'],
    [z.enum(['a', 'b']), 'c', 'Choose one of the values.'],
    [z.string(), undefined, 'This is needed.'],
  ])('is told in words (%#)', (schema, value, words) => expect(said(schema, value)).toBe(words));

  it('keeps the sentence that the contract gives', () => {
    const schema = z.string().refine(() => false, 'must be an IANA time zone');
    expect(said(schema, 'x')).toBe('must be an IANA time zone');
  });
});
