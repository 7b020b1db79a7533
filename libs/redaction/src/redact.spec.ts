import { describe, expect, it } from '@jest/globals';
import type { PersonalKind } from '@parlance/contracts';
import fc from 'fast-check';
import { type Finding, personalKinds } from './finding.js';
import { personalDataIn, redact, redactJson } from './redact.js';
import { drawFrom, sentences } from './sentences.cases.js';

const english = { language: 'en-US', timezone: 'America/New_York', kinds: personalKinds };
const german = { language: 'de-DE', timezone: 'Europe/Berlin', kinds: personalKinds };

interface Score {
  planted: number;
  hidden: number;
  found: number;
  right: number;
}

/** Hidden means that not one character of it is left. */
const isHidden = (findings: readonly Finding[], start: number, end: number): boolean => {
  let covered = start;
  for (const finding of findings)
    if (finding.start <= covered && finding.end > covered) covered = finding.end;
  return covered >= end;
};

describe('2,000 sentences, two thirds of them with personal data', () => {
  const scores = Object.fromEntries(
    personalKinds.map((kind) => [kind, { planted: 0, hidden: 0, found: 0, right: 0 }]),
  ) as Record<PersonalKind, Score>;
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const { language, text, planted } of sentences(drawFrom(38), 2_000)) {
    const findings = personalDataIn(text, language === 'de' ? german : english);
    let from = 0;
    const places = planted.map(({ kind, quote }) => {
      const start = text.indexOf(quote, from);
      from = start + quote.length;
      return { kind, start, end: from };
    });
    for (const { kind, start, end } of places) {
      scores[kind].planted += 1;
      if (isHidden(findings, start, end)) scores[kind].hidden += 1;
      else missed.push(`${kind}: ${text}`);
    }
    for (const { kind, start, end } of findings) {
      scores[kind].found += 1;
      if (places.some((place) => start < place.end && place.start < end)) scores[kind].right += 1;
      else wrong.push(`${kind} "${text.slice(start, end)}": ${text}`);
    }
  }
  const recall = (kind: PersonalKind): number => scores[kind].hidden / scores[kind].planted;
  const precision = (kind: PersonalKind): number => scores[kind].right / scores[kind].found;
  const line = (kind: PersonalKind): string =>
    [
      kind.padEnd(10),
      String(scores[kind].planted).padStart(7),
      recall(kind).toFixed(3).padStart(7),
      precision(kind).toFixed(3).padStart(10),
    ].join(' ');
  const table = ['kind       planted  recall  precision', ...personalKinds.map(line)];
  process.stdout.write(`${[...table, ...missed, ...wrong].join('\n')}\n`);

  it('hides 98 of 100 card numbers and telephone numbers, however they are said', () => {
    expect(recall('card')).toBeGreaterThanOrEqual(0.98);
    expect(recall('telephone')).toBeGreaterThanOrEqual(0.98);
  });

  it('hides 95 of 100 mail addresses, account numbers and introduced names', () => {
    for (const kind of ['mail', 'account', 'name'] as const)
      expect(recall(kind)).toBeGreaterThanOrEqual(0.95);
  });

  it('leaves order numbers, dates, amounts and codes alone: 95 of 100 findings are personal data', () => {
    for (const kind of personalKinds) expect(precision(kind)).toBeGreaterThanOrEqual(0.95);
  });
});

describe('redact', () => {
  it.each([
    [
      'my card is 4111 1111 1111 1111 and the cvv is 123',
      'my card is [card number] and the cvv is [card number]',
    ],
    ['Visa four one one one, one one one one, uh, one one one one, one one one two', 'Visa [card number]'],
    ['call +49 30 901820, not 4155550', 'call [telephone number], not [telephone number]'],
    ['write to ada at example dot com', 'write to [mail address]'],
    ['My name is Smith, S M Y T H.', 'My name is [name], [name].'],
    ['IBAN DE89 3704 0044 0532 0130 00 at Cologne', 'IBAN [account number] at Cologne'],
    ['order 4155550123 of my phone', 'order 4155550123 of my phone'],
  ])('makes of "%s": "%s"', (text, expected) => {
    expect(redact(text, english).text).toBe(expected);
  });

  it('hides the names that the call knows, wherever they are said', () => {
    const { text } = redact('Then Lovelace said that ada would come.', {
      ...english,
      names: ['Ada Lovelace'],
    });
    expect(text).toBe('Then [name] said that [name] would come.');
  });

  it('looks for the chosen kinds alone', () => {
    const text = 'My name is Ada, 4111 1111 1111 1111';
    expect(redact(text, { ...english, kinds: ['card'] }).text).toBe('My name is Ada, [card number]');
    expect(redact(text, { ...english, kinds: [] }).text).toBe(text);
  });

  it('changes nothing when it is done twice', () => {
    const draw = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(draw, fc.string(), (seed, around) => {
        const [sentence] = sentences(drawFrom(seed), 1);
        const once = redact(`${around} ${sentence?.text}`, english).text;
        expect(redact(once, english).text).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  it('takes any text, and time that grows with its length alone', () => {
    const long =
      'one two three four '.repeat(5_000) + 'at a dot '.repeat(5_000) + 'my name is '.repeat(5_000);
    expect(redact(long, english).text.length).toBeGreaterThan(0);
    const dots = '. '.repeat(500_000);
    expect(redact(dots, english).text).toBe(dots);
  });

  it('redacts the strings and numbers of a JSON value, and keeps its keys', () => {
    const value = {
      card: 4_111_111_111_111_111,
      note: ['mail ada@example.com', 7, null, true],
      '4111111111111111': '',
    };
    expect(redactJson(value, english)).toEqual({
      card: '[card number]',
      note: ['mail [mail address]', 7, null, true],
      '4111111111111111': '',
    });
  });
});
