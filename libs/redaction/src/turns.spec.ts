import { describe, expect, it } from '@jest/globals';
import { digitRuns } from '@parlance/spoken-values';
import fc from 'fast-check';
import { personalKinds } from './finding.js';
import type { RedactionOptions } from './redact.js';
import { drawFrom, sentences, spreadNumbers } from './sentences.cases.js';
import { ConversationRedactor, type RedactableTurn, redactTurns } from './turns.js';

const english: RedactionOptions = { language: 'en-US', timezone: 'America/New_York', kinds: personalKinds };
const german: RedactionOptions = { language: 'de-DE', timezone: 'Europe/Berlin', kinds: personalKinds };

/** "a: ..." is a turn of the agent, "u: ..." one of the person. */
const turn = (line: string): RedactableTurn => ({
  role: line.startsWith('a:') ? 'agent' : 'user',
  text: line.slice(3),
});
const redacted = (lines: readonly string[], options = english): string[] =>
  redactTurns(lines.map(turn), options).map(({ text }) => text);

describe('redactTurns', () => {
  it.each<[string, string[], string[]]>([
    [
      'a card that is dictated in groups, with the agent repeating them',
      [
        'a: What is the number?',
        'u: four one one one',
        'a: 4 1 1 1, go on.',
        'u: one one one one',
        'a: Yes?',
        'u: 1111, then',
        'a: And?',
        'u: and one one one one.',
        'a: Thank you.',
      ],
      [
        'What is the number?',
        '[card number]',
        '[card number], go on.',
        '[card number]',
        'Yes?',
        '[card number], then',
        'And?',
        'and [card number].',
        'Thank you.',
      ],
    ],
    [
      'a card that is keyed in two inputs',
      ['u: 4 1 1 1 1 1 1 1', 'u: 1 1 1 1 1 1 1 1', 'a: Thanks.'],
      ['[card number]', '[card number]', 'Thanks.'],
    ],
    [
      'a telephone number in two turns',
      ['u: You can call me at two one two', 'a: Yes?', 'u: five five five oh one eight seven please'],
      ['You can call me at [telephone number]', 'Yes?', '[telephone number] please'],
    ],
    [
      'a security code and a short number that answer a question',
      ['a: And the security code?', 'u: One two three.', 'a: A phone number?', 'u: 555 0187'],
      ['And the security code?', '[card number].', 'A phone number?', '[telephone number]'],
    ],
    [
      'a name that answers a question, wherever it is said from then on',
      [
        'a: What is your name, please?',
        'u: Sure, it is Ada Lovelace.',
        'a: Thank you, Ada!',
        'u: A lovelace blouse is for Lovelace.',
      ],
      [
        'What is your name, please?',
        'Sure, it is [name].',
        'Thank you, [name]!',
        'A lovelace blouse is for [name].',
      ],
    ],
  ])('hides %s', (_, lines, expected) => {
    expect(redacted(lines)).toEqual(expected);
  });

  it('hides a number over two turns in German', () => {
    const lines = ['u: Meine Nummer ist null drei null', 'a: Ja?', 'u: neun null eins acht zwei null'];
    expect(redacted(lines, german)).toEqual([
      'Meine Nummer ist [telephone number]',
      'Ja?',
      '[telephone number]',
    ]);
  });

  it.each([
    ['a number of persons after a telephone number', ['u: 212 555 0187', 'a: How many?', 'u: 4 people'], 2],
    ['an order number in two turns', ['u: The order number is 4711', 'a: Yes?', 'u: 0815 2'], 0],
    ['an answer that is no name', ['a: Your name?', 'u: Why do you need that?', 'u: No thanks.'], 1],
    ['digits with another answer between them', ['u: It was 4111', 'u: No, sorry', 'u: 1111 1111 1111'], 0],
  ])('leaves %s alone', (_, lines, at) => {
    expect(redacted(lines)[at]).toBe(lines[at]?.slice(3));
  });

  it('hides in the words that were heard what it hides in the text, up to a break in the middle of a number', () => {
    const [one] = redactTurns(
      [{ role: 'agent' as const, text: 'So 4111 1111 1111 1111 it is.', spokenText: 'So 4111 1111' }],
      english,
    );
    expect(one).toMatchObject({ text: 'So [card number] it is.', spokenText: 'So [card number]' });
  });

  it('redacts arguments and results of tools by their keys, and by the names of the conversation', () => {
    const toolCall = {
      arguments: { customerName: 'grace', cvv: '123', phone: 5_550_187, party: 4, at: 1_764_276_195_000 },
      result: { note: 'Booked for Lovelace', value: 'A-1001' },
    };
    const turns = [turn('u: My name is Ada Lovelace.'), { role: 'tool' as const, text: '', toolCall }];
    expect(redactTurns<RedactableTurn>(turns, english)[1]?.toolCall).toEqual({
      arguments: {
        customerName: '[name]',
        cvv: '[card number]',
        phone: '[telephone number]',
        party: 4,
        at: 1_764_276_195_000,
      },
      result: { note: 'Booked for [name]', value: 'A-1001' },
    });
  });

  it('changes nothing when it is done twice', () => {
    const lines = fc.constantFrom(
      'a: What is your name?',
      'a: And your phone number?',
      'a: 4 1 1 1, yes?',
      'u: Ada Lovelace',
      'u: four one one one',
      'u: one one one one one one one one one one one one',
      'u: 212 555 0187',
      'u: 4 people, on 12 May',
      'u: My card is 4111 1111',
      'a: Thank you, Ada.',
    );
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), (spoken) => {
        const once = redactTurns(spoken.map(turn), english);
        expect(redactTurns(once, english)).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});

describe('conversations', () => {
  const isHidden = (text: string, language: string): boolean => digitRuns(text, language).length === 0;

  it('hides 98 of 100 numbers that are spread over turns or inputs', () => {
    const missed: string[] = [];
    const numbers = spreadNumbers(drawFrom(47), 600);
    for (const { language, pieces } of numbers) {
      const lines = pieces.flatMap((piece) => [`u: ${piece}`, language === 'de' ? 'a: Ja?' : 'a: Go on.']);
      const spoken = redacted(lines, language === 'de' ? german : english);
      if (!spoken.every((text) => isHidden(text, language))) missed.push(lines.join(' | '));
    }
    process.stdout.write(
      `spread numbers: recall ${1 - missed.length / numbers.length}\n${missed.join('\n')}\n`,
    );
    expect(missed.length / numbers.length).toBeLessThanOrEqual(0.02);
  });

  it('leaves 98 of 100 sentences without personal data alone, whatever was said before', () => {
    const changed: string[] = [];
    const harmless = sentences(drawFrom(48), 1_800).filter(({ planted }) => planted.length === 0);
    for (const wanted of ['en', 'de'] as const) {
      const options = wanted === 'de' ? german : english;
      const lines = harmless
        .filter(({ language }) => language === wanted)
        .flatMap(({ text }) => [`u: ${text}`, wanted === 'de' ? 'a: Und Ihre Nummer?' : 'a: Your number?']);
      for (const [index, text] of redacted(lines, options).entries())
        if (text !== lines[index]?.slice(3)) changed.push(`${lines[index]} -> ${text}`);
    }
    process.stdout.write(
      `harmless sentences changed: ${changed.length} of ${harmless.length}\n${changed.join('\n')}\n`,
    );
    expect(changed.length / harmless.length).toBeLessThanOrEqual(0.02);
  });
});

describe('ConversationRedactor', () => {
  it('decides a turn at once, unless it ends in digits that may go on', () => {
    const redactor = new ConversationRedactor<RedactableTurn>(english);
    const decided = (line: string): string[] => redactor.add(turn(line)).map(({ text }) => text);
    expect(decided('u: A table for 4')).toEqual(['A table for 4']);
    expect(decided('u: It is 4111')).toEqual([]);
    expect(decided('a: Yes?')).toEqual([]);
    expect(decided('u: That is all.')).toEqual(['It is 4111', 'Yes?', 'That is all.']);
  });

  it('waits for a limited number of turns', () => {
    const redactor = new ConversationRedactor<RedactableTurn>(english);
    const decided = Array.from({ length: 1_000 }, () => redactor.add(turn('u: 11')).length);
    expect(decided.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(980);
  });
});
