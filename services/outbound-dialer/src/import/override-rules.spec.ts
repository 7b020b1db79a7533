import { describe, expect, it } from '@jest/globals';
import { OverrideRules } from './override-rules.js';
import { readBytes } from './testing/reading.js';

const choices = {
  language: 'en',
  voiceId: 'acme/anna',
  languages: ['en', 'de', 'de-CH'],
  voices: [
    { id: 'acme/anna', languages: ['en', 'de', 'de-CH'] },
    { id: 'acme/bob', languages: ['en'] },
  ],
};

describe('the overrides of a row', () => {
  const rules = new OverrideRules(choices);

  it.each([
    [undefined, undefined, undefined],
    ['de', undefined, 'de'],
    ['DE_ch', undefined, 'de-CH'],
    ['en', 'acme/bob', 'en'],
    [undefined, 'acme/bob', undefined],
  ])('are good where the models know them: %p and %p', (language, voiceId, canonical) => {
    expect(rules.check(language, voiceId)).toEqual({ language: canonical });
  });

  it.each([
    ['German', undefined, 'language', /such as en, de/],
    ['fr', undefined, 'language', /not a language/],
    [undefined, 'acme/nobody', 'voice_id', /not a voice/],
    ['de', 'acme/bob', 'voice_id', /does not speak de/],
  ])('are refused where they do not: %p and %p', (language, voiceId, column, message) => {
    expect(rules.check(language, voiceId)).toEqual({
      problem: { column, message: expect.stringMatching(message) },
    });
  });

  it('are not judged by a voice of the agent that has left the catalog', () => {
    const gone = new OverrideRules({ ...choices, voiceId: 'acme/gone' });
    expect(gone.check('de', undefined)).toEqual({ language: 'de' });
  });

  const content = 'phone,language,voice_id\n+14155550100,DE,\n+14155550101,Klingon,\n+14155550102,,\n';

  it('refuse their row, name its column, and are stored as the catalog writes them', async () => {
    const agent = { mentioned: [], allowedOverrides: ['agent_language', 'voiceId'] as const, choices };
    const { outcome, rows } = await readBytes(content, { agent });
    expect(rows.map(({ rowNumber, row }) => [rowNumber, row.language, row.variables.language])).toEqual([
      [2, 'de', 'DE'],
      [4, undefined, undefined],
    ]);
    expect(outcome.report?.errors).toMatchObject([
      { row: 3, column: 'language', message: expect.stringContaining('row 3, language: is not a language') },
    ]);
  });

  it('refuse nothing where the agent does not allow them, and are variables all the same', async () => {
    const agent = { mentioned: ['language'], allowedOverrides: [], choices };
    const { rows } = await readBytes(content, { agent });
    expect(rows.map(({ row }) => row)).toEqual([
      { variables: { language: 'DE' } },
      { variables: { language: 'Klingon' } },
      { variables: {} },
    ]);
  });
});
