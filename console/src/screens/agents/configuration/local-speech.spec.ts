import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { localSpeechOf, mechanicalLanguages, naturalLanguages } from './local-speech.js';

interface Row {
  readonly engine: string;
  readonly languages: readonly string[];
}

describe('the note about local speech', () => {
  it('names the languages of the table of models', () => {
    const { models } = JSON.parse(readFileSync('runtime/speech/models.json', 'utf8')) as { models: Row[] };
    const spokenBy = (engine: string) => models.find((model) => model.engine === engine)?.languages ?? [];
    expect([...naturalLanguages].sort()).toEqual([...spokenBy('kokoro')].sort());
    expect([...naturalLanguages, ...mechanicalLanguages].sort()).toEqual([...spokenBy('espeak')].sort());
  });

  it('tells natural voices from mechanical ones, for regional forms too', () => {
    expect(['en-GB', 'pt', 'de-AT', 'ja'].map(localSpeechOf)).toEqual([
      'natural',
      'natural',
      'mechanical',
      'none',
    ]);
  });
});
