import { describe, expect, it } from '@jest/globals';
import { AgentConfigurationBody } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { defaults, voiceCatalog } from '@parlance/models';
import { toDocument } from '../configuration/configuration-document.js';
import { emptyAnswer, readAnswer } from './answer.js';
import { applyAnswer } from './apply.js';

const read = (answer: unknown) => readAnswer(Buffer.from(JSON.stringify(answer)));
const configuration = (change: object = {}) => ({
  ...toDocument(
    AgentConfigurationBody.parse({ ...defaults, firstMessage: 'Hello', systemPrompt: 'Be kind.', ...change }),
  ),
  agentId: '018f0000-0000-7000-8000-000000000001',
  version: 1,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
});
const apply = (answer: unknown, change: object = {}) =>
  applyAnswer(configuration(change), read(answer), voiceCatalog);

describe('the answer of an initiation webhook', () => {
  it('may be empty, or say only some of what it may', () => {
    expect(readAnswer(Buffer.from(' \n'))).toEqual(emptyAnswer);
    expect(read({})).toEqual(emptyAnswer);
    expect(read({ metadata: null, overrides: null, action: null, dynamicVariables: null })).toEqual(
      emptyAnswer,
    );
  });

  it('is taken in either spelling, with numbers and switches as text, and unknown keys passed over', () => {
    const expected = { name: 'Ada', age: '37', vip: 'true' };
    expect(read({ dynamicVariables: { name: 'Ada', age: 37, vip: true } }).dynamicVariables).toEqual(
      expected,
    );
    expect(read({ dynamic_variables: expected, whatever: [1] })).toEqual({
      ...emptyAnswer,
      dynamicVariables: expected,
    });
    expect(read({ action: 'reject', metadata: { crm: { id: 7 } } })).toMatchObject({
      action: 'reject',
      metadata: { crm: { id: 7 } },
    });
  });

  it('keeps every digit of its numbers, and is read by its charset', () => {
    const text =
      '{"dynamicVariables":{"orderId":9007199254740993,"price":10.50,"huge":1E400},"metadata":{"n":[-0,1.0]}}';
    const answer = readAnswer(Buffer.from(`\uFEFF${text}`));
    expect(answer).toMatchObject({
      dynamicVariables: { orderId: '9007199254740993', price: '10.50', huge: '1E400' },
      ignored: [],
    });
    expect(stringifyJson(answer.metadata)).toBe('{"n":[-0,1.0]}');
    const latin = Buffer.from('{"dynamicVariables":{"name":"Müller"}}', 'latin1');
    expect(readAnswer(latin, 'application/json; charset=iso-8859-1').dynamicVariables).toEqual({
      name: 'Müller',
    });
  });

  it('leaves out a variable without a value, so that the default of the agent holds', () => {
    const given = { name: '', plan: '  ', city: null, age: 0, vip: false };
    expect(read({ dynamicVariables: given })).toEqual({
      ...emptyAnswer,
      dynamicVariables: { age: '0', vip: 'false' },
    });
    const { config } = apply({ dynamicVariables: { name: '' } }, { variables: { name: 'there' } });
    expect(config.variables).toEqual({ name: { default: 'there' } });
  });

  it('loses what does not fit, by itself, and only its place is told', () => {
    expect(
      read({
        dynamicVariables: { ok: 'yes', 'not a name': 'x', long: 'x'.repeat(2_001), deep: { a: 1 } },
        overrides: { firstMessage: 7, voiceId: 'v', sttModel: 's' },
        metadata: 'text',
        action: 'explode',
      }),
    ).toEqual({
      action: 'continue',
      dynamicVariables: { ok: 'yes' },
      overrides: { voiceId: 'v' },
      metadata: {},
      ignored: ['action', 'dynamicVariables', 'overrides.firstMessage', 'metadata'],
    });
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`v${index}`, 'x']));
    const taken = read({ dynamicVariables: many });
    expect(Object.keys(taken.dynamicVariables)).toHaveLength(64);
    expect(taken.ignored).toEqual(['dynamicVariables']);
    expect(read({ dynamicVariables: [], overrides: 'x' }).ignored).toEqual(['dynamicVariables', 'overrides']);
  });

  it.each(['[]', '"text"', '7', 'null', '<html>', `${'['.repeat(40)}${']'.repeat(40)}`])(
    'is no answer when it is %s',
    (text) => {
      expect(() => readAnswer(Buffer.from(text))).toThrow(
        expect.objectContaining({ reason: 'bad_response' }),
      );
    },
  );
});

describe('what an initiation webhook asks for', () => {
  it('is put into the configuration as far as the agent allows', () => {
    const overrides = { firstMessage: 'Hi Ada', systemPrompt: 'Be brief.', agent_language: 'de' };
    const { config, ignored } = apply({ overrides });
    expect(config).toMatchObject({ firstMessage: 'Hi Ada', systemPrompt: 'Be brief.' });
    expect(config.agent_language).toBe(defaults.agent_language);
    expect(ignored).toEqual(['overrides.agent_language']);
  });

  it('never puts words in that a configuration could not hold', () => {
    const overrides = { firstMessage: 'The key is {{ secrets.KEY }}', systemPrompt: '' };
    const { config, ignored } = apply({ overrides });
    expect(config).toMatchObject({ firstMessage: 'Hello', systemPrompt: 'Be kind.' });
    expect(ignored).toEqual(['overrides.firstMessage', 'overrides.systemPrompt']);
  });

  it('changes voice and language only to what goes with the models', () => {
    const allowedOverrides = ['voiceId', 'agent_language', 'firstMessage'];
    const voice = voiceCatalog.voices.find(
      ({ id, ttsModels, available, languages }) =>
        id !== defaults.voiceId &&
        available &&
        ttsModels.includes(defaults.ttsModel) &&
        languages.includes(defaults.agent_language),
    );
    expect(apply({ overrides: { voiceId: voice?.id } }, { allowedOverrides })).toMatchObject({
      config: { voiceId: voice?.id },
      ignored: [],
    });
    const { config, ignored } = apply(
      { overrides: { voiceId: 'nobody/nothing', firstMessage: 'Hi' } },
      { allowedOverrides },
    );
    expect(config).toMatchObject({ voiceId: defaults.voiceId, firstMessage: 'Hi' });
    expect(ignored).toEqual(['overrides.voiceId']);
  });

  it('becomes the default of a variable, so that what the call was given comes before it', () => {
    const variables = { name: { default: 'friend', required: true }, city: 'Paris' };
    const { config } = apply({ dynamicVariables: { name: 'Ada', constructor: 'x' } }, { variables });
    expect(config.variables).toEqual({
      name: { default: 'Ada', required: true },
      city: { default: 'Paris' },
      constructor: { default: 'x' },
    });
  });
});
