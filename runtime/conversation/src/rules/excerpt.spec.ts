import { describe, expect, it } from '@jest/globals';
import { excerpt } from './excerpt.js';

describe('an excerpt of a document', () => {
  it('is spoken without the headings of Markdown', () => {
    const passage = '# House rules\n\n## Refunds\n\nA refund takes five days.';
    expect(excerpt(passage, 'How long does a refund take?', 'en')).toBe('A refund takes five days.');
  });

  it('keeps the words of a passage that is a heading and nothing else', () => {
    expect(excerpt('## Free parking behind the house', 'Is there parking?', 'en')).toBe(
      'Free parking behind the house.',
    );
  });
});
