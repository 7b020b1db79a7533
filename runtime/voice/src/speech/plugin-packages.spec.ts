// Each model of the catalog that an agent can choose is one that the runtime reaches.
import { expect, it } from '@jest/globals';
import { endpointsFor, keyVariables, noModelsFile, voiceCatalog } from '@parlance/models';
import { recognizerPackages, synthesizerPackages } from './plugin-packages.js';

const keys = Object.fromEntries(keyVariables.map((name) => [name, 'key']));
const packages: Readonly<Record<'llm' | 'stt' | 'tts', readonly string[]>> = {
  llm: [],
  stt: recognizerPackages,
  tts: synthesizerPackages,
};
const models = (['llm', 'stt', 'tts'] as const).flatMap((kind) =>
  voiceCatalog[`${kind}Models`].filter(({ available }) => available).map(({ id }) => ({ kind, id })),
);

it.each(models)('the runtime reaches $kind $id', ({ kind, id }) => {
  const [endpoint] = endpointsFor(kind, id, keys, noModelsFile).endpoints;
  if (endpoint?.via !== 'openai') expect(packages[kind]).toContain(endpoint?.package);
});

it.each(voiceCatalog.voices.filter(({ available }) => available))('a model speaks the voice $id', (voice) => {
  const speaks = models.some(({ kind, id }) => kind === 'tts' && voice.ttsModels.includes(id));
  expect(speaks).toBe(true);
});

it.each(['recognizerPackages', 'synthesizerPackages'] as const)(
  '%s has no package that no model needs',
  (name) => {
    const kind = name === 'recognizerPackages' ? 'stt' : 'tts';
    const needed = models.flatMap((model) => {
      const [endpoint] = endpointsFor(kind, model.id, keys, noModelsFile).endpoints;
      return endpoint?.via === 'plugin' ? [endpoint.package] : [];
    });
    expect(new Set(needed)).toEqual(new Set(packages[kind]));
  },
);
