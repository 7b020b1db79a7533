import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Masking, mask } from './masking.js';

type Writing = (text: string) => string;

/** The ways in which another system may write a text that it received. */
const writings: readonly (readonly [string, Writing])[] = [
  ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['an address', encodeURIComponent],
  ['a form', (text) => new URLSearchParams({ v: text }).toString().slice(2)],
  [
    'HTML',
    (text) =>
      text.replace(
        /[&<>"']/g,
        (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '&#39;',
      ),
  ],
];
const combined = writings.flatMap(([outer, last]) =>
  writings.map(
    ([inner, first]) => [`${inner} inside ${outer}`, (text: string) => last(first(text))] as const,
  ),
);

describe('a secret that another system sends back', () => {
  const secret = fc
    .string({ unit: 'grapheme', minLength: 8, maxLength: 60 })
    .filter((text) => text.trim() !== '');

  it.each([...writings, ...combined])('is not found in %s', (_, write) => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const shown = new Masking([value]).text(`<${before}> ${write(value)} <${after}>`);
        expect(shown).toContain(mask);
        expect(shown).not.toContain(write(value));
      }),
      { numRuns: 50 },
    );
  });

  it.each([['base64'], ['base64url'], ['hex']] as const)(
    'is not found in %s of a longer text',
    (encoding) => {
      const value = 'pl"anted/s+e cret=é1';
      const masking = new Masking([value]);
      for (const before of ['', 'a', 'ab', 'user:']) {
        const shown = masking.text(Buffer.from(`${before}${value}:end`).toString(encoding));
        expect(shown).toContain(mask);
        for (const part of shown.split(mask))
          expect(Buffer.from(part, encoding).toString()).not.toContain('cret');
      }
    },
  );

  it('loses the parts that no escape changes, and no word of the answer', () => {
    const masking = new Masking(['confidential "0123456789abcdef"']);
    const strange = 'a confidential answer: &#x22;0123456789abcdef&#x22;';
    expect(masking.text(strange)).toBe(`a confidential answer: &#x22;${mask}&#x22;`);
  });

  it('is hidden as key, text and number of JSON', () => {
    const masking = new Masking(['123456', 'planted']);
    const shown = masking.json({ planted: [123456, { a: 'x planted' }], other: 12 });
    expect(shown).toEqual({ [mask]: [mask, { a: `x ${mask}` }], other: 12 });
  });
});
