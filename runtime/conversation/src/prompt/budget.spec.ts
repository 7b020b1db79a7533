import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChatMessage, ChatTool } from '../dialogue/chat.js';
import { fitPrompt, type PromptParts, type Window } from './budget.js';
import { estimateTokens, firstTokens, messageTokens, toolTokens } from './tokens.js';

/** 100 tokens by the estimate. */
const hundred = 'x'.repeat(288);
const user = (content: string): ChatMessage => ({ role: 'user', content });
const parts = (change: Partial<PromptParts> = {}): PromptParts => ({
  instructions: hundred,
  knowledge: '',
  tools: [],
  history: [],
  current: [user(hundred)],
  ...change,
});
const render = (text: string): string => `[${text}]`;
const window = (contextTokens: number): Window => ({ contextTokens, answerTokens: 0 });
const turns = (count: number): ChatMessage[][] =>
  Array.from({ length: count }, (_, index) => [user(`${index}${'x'.repeat(287)}`)]);

describe('a prompt that is too large', () => {
  it('is sent whole where it fits', () => {
    const fitted = fitPrompt(parts({ history: turns(2), knowledge: hundred }), window(1_000), render);
    expect(fitted).toMatchObject({ fits: true, droppedTurns: 0, isKnowledgeCut: false });
  });

  it.each([
    ['loses the oldest turns first', 5, 360, 600, { droppedTurns: 3, isKnowledgeCut: false }],
    [
      'loses all turns before a word of the knowledge',
      5,
      288,
      310,
      { droppedTurns: 5, isKnowledgeCut: false },
    ],
    [
      'loses the knowledge from its end when no turn is left',
      5,
      900,
      300,
      { droppedTurns: 5, isKnowledgeCut: true },
    ],
  ] as const)('%s', (_, count, knowledge, size, expected) => {
    const text = Array.from({ length: knowledge }, (__, index) => 'abcdefghij'[index % 10]).join('');
    const fitted = fitPrompt(parts({ history: turns(count), knowledge: text }), window(size), render);
    expect(fitted).toMatchObject({ fits: true, ...expected });
    if (!fitted.fits) return;
    const [system, ...rest] = fitted.messages;
    expect(system?.content.startsWith(hundred)).toBe(true);
    expect(rest.at(-1)).toEqual(user(hundred));
    const shown = /\[(.*)\]/.exec(system?.content ?? '')?.[1] ?? '';
    expect(text.startsWith(shown)).toBe(true);
  });

  it('is refused where the last turn alone is larger than the window', () => {
    const fitted = fitPrompt(parts({ current: [user('word '.repeat(80_000))] }), window(8_000), render);
    expect(fitted).toEqual({ fits: false, tooLarge: 'turn' });
  });

  it('is refused where the instructions or the tools are larger than the window', () => {
    const tool: ChatTool = { name: 'a', description: 'b'.repeat(30_000), parameters: {} };
    for (const change of [{ instructions: 'x'.repeat(30_000) }, { tools: [tool] }])
      expect(fitPrompt(parts(change), window(8_000), render)).toEqual({
        fits: false,
        tooLarge: 'instructions',
      });
  });

  it('never exceeds the window, and never loses the instructions or the last turn', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(
        words,
        words,
        fc.array(words, { maxLength: 12 }),
        fc.integer({ min: 50, max: 2_000 }),
        (knowledge, last, history, contextTokens) => {
          const given = parts({
            knowledge,
            history: history.map((text) => [user(text)]),
            current: [user(last)],
          });
          const fitted = fitPrompt(given, window(contextTokens), render);
          if (!fitted.fits) return;
          const total = fitted.messages.reduce((sum, message) => sum + messageTokens(message), 0);
          expect(total + toolTokens(given.tools)).toBeLessThanOrEqual(contextTokens);
          expect(fitted.messages[0]?.content.startsWith(given.instructions)).toBe(true);
          expect(fitted.messages.at(-1)).toEqual(user(last));
        },
      ),
    );
  });
});

describe('the estimate of tokens', () => {
  it.each([
    ['', 0],
    ['Hello, how are you?', 7],
    ['Grüß Gott', 4],
    ['你好世界', 4],
  ])('%j is %d', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('cuts a text between characters', () => {
    expect(firstTokens('你好世界', 2)).toBe('你好');
    expect(firstTokens('ab界', 1)).toBe('ab');
    expect(firstTokens('abc', 1)).toBe('abc');
  });
});
