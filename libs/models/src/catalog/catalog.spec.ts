import { describe, expect, it } from '@jest/globals';
import { VoiceCatalog } from '@parlance/contracts';
import { type Choices, callChoices, catalogIssues } from './catalog-rules.js';
import { languages, understands } from './languages.js';
import { defaults, voiceCatalog } from './voice-catalog.js';

const { sttModels, llmModels, ttsModels, voices } = voiceCatalog;
const unique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const codes = new Set(languages.map(({ code }) => code));

describe('the voice catalog', () => {
  it('has the shape that the interface promises', () => {
    expect(VoiceCatalog.safeParse(voiceCatalog).error).toBeUndefined();
  });

  it('offers several vendors of each kind, every id once', () => {
    for (const list of [sttModels, llmModels, ttsModels, voices]) {
      expect(unique(list.map(({ id }) => id))).toBe(true);
      expect(new Set(list.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(5);
    }
  });

  it('lists only languages that it knows by name', () => {
    for (const { code, name } of languages) expect(name).not.toBe(code);
    for (const { languages: listed } of [...sttModels, ...llmModels, ...ttsModels, ...voices]) {
      for (const code of listed) expect(code === '*' || codes.has(code)).toBe(true);
    }
  });

  it('gives every voice to models of its own vendor that exist, in a language they speak', () => {
    for (const voice of voices) {
      for (const id of voice.ttsModels) {
        const model = ttsModels.find((candidate) => candidate.id === id);
        expect(model?.provider).toBe(voice.provider);
        const spoken = voice.languages.every(
          (code) => code === '*' || understands(model?.languages ?? [], code),
        );
        // A voice may know a language that an older model of its vendor does not; its first model knows all.
        if (id === voice.ttsModels[0]) expect(spoken).toBe(true);
      }
    }
  });

  it('leaves no text-to-speech model without a voice', () => {
    for (const { id } of ttsModels) expect(voices.some((voice) => voice.ttsModels.includes(id))).toBe(true);
  });

  it('has prices that a minute can plausibly cost', () => {
    for (const { costMicrosPerMinute } of [...sttModels, ...llmModels, ...ttsModels]) {
      if (costMicrosPerMinute === null) continue;
      expect(costMicrosPerMinute).toBeGreaterThan(100);
      expect(costMicrosPerMinute).toBeLessThan(200_000);
    }
  });

  it('says why a model cannot be chosen, if and only if it cannot', () => {
    for (const { available, unavailableReason } of [...sttModels, ...llmModels, ...ttsModels]) {
      expect(unavailableReason === null).toBe(available);
    }
  });

  it('knows the usual time zones', () => {
    expect(voiceCatalog.timezones).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin', 'Asia/Kolkata']));
  });

  it.each(languages.map(({ code }) => code))('can equip an agent that speaks %s', (code) => {
    const works = sttModels.some((stt) =>
      voices.some((voice) =>
        voice.ttsModels.some(
          (ttsModel) =>
            catalogIssues(voiceCatalog, {
              ...defaults,
              agent_language: code,
              sttModel: stt.id,
              ttsModel,
              voiceId: voice.id,
            }).length === 0,
        ),
      ),
    );
    expect(works).toBe(true);
  });
});

describe('choices of a configuration', () => {
  const issues = (change: Partial<Choices>): string[] =>
    catalogIssues(voiceCatalog, { ...defaults, ...change }).map(({ path, message }) => `${path} ${message}`);

  it('are accepted when they are the defaults, in any English', () => {
    expect(issues({})).toEqual([]);
    expect(issues({ agent_language: 'en-GB' })).toEqual([]);
  });

  it.each([
    [{ agent_language: 'tlh' }, ['body.agent_language is not in the voice catalog']],
    [{ sttModel: 'deepgram/nova-99' }, ['body.sttModel is not in the voice catalog']],
    [{ llmModel: defaults.sttModel }, ['body.llmModel is not in the voice catalog']],
    [{ voiceId: 'nobody' }, ['body.voiceId is not in the voice catalog']],
    [{ voiceId: 'openai/alloy' }, ['body.voiceId does not belong to the text-to-speech model']],
    [
      { sttModel: 'deepgram/nova-2-phonecall', agent_language: 'de' },
      expect.arrayContaining(['body.sttModel does not know the language of the agent']),
    ],
    [{ agent_language: 'de-AT' }, ['body.voiceId does not speak the language of the agent']],
    [
      { ttsModel: 'elevenlabs/eleven_turbo_v2_5', voiceId: 'elevenlabs/EXAVITQu4vr4xnSDxMaL' },
      ['body.ttsModel can no longer be chosen'],
    ],
  ])('are refused field by field: %j', (change, expected) => {
    expect(issues(change)).toEqual(expected);
  });

  it('are refused all at once, so that one answer names every mistake', () => {
    expect(issues({ sttModel: 'a', llmModel: 'b', ttsModel: 'c', voiceId: 'd' })).toHaveLength(4);
  });
});

describe('the choices of a call', () => {
  it('are exactly the languages and voices that a configuration of these models may have', () => {
    const found = callChoices(voiceCatalog, defaults);
    const speaks = new Map(found.voices.map(({ id, languages: spoken }) => [id, spoken]));
    for (const { id } of voices)
      for (const { code } of languages) {
        const isGood =
          catalogIssues(voiceCatalog, { ...defaults, agent_language: code, voiceId: id }).length === 0;
        expect([id, code, speaks.get(id)?.includes(code) ?? false]).toEqual([id, code, isGood]);
      }
    expect(found).toMatchObject({ language: defaults.agent_language, voiceId: defaults.voiceId });
  });

  it('keep the languages of a model that can no longer be chosen', () => {
    const withoutModels = { ...voiceCatalog, llmModels: [] };
    expect(callChoices(withoutModels, defaults)).toEqual(callChoices(voiceCatalog, defaults));
  });
});
