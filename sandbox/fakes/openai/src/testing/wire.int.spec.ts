import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, toFile } from 'openai';
import { type RunningOpenAi, startOpenAi } from '../index.js';

let fake: RunningOpenAi;
let client: OpenAI;

beforeAll(async () => {
  fake = await startOpenAi({ apiKey: 'right', models: ['small', 'whisper', 'voice'] });
  client = new OpenAI({ baseURL: fake.url, apiKey: 'right', maxRetries: 0, logLevel: 'off' });
});
afterEach(() => {
  fake.chat.clear();
  fake.audio.clear();
  fake.faults.clear();
  fake.received.length = 0;
});
afterAll(() => fake.stop());

const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};
const messages = [{ role: 'user' as const, content: 'Hello' }];
const failure = (promise: Promise<unknown>): Promise<APIError> =>
  promise.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: unknown) => error as APIError,
  );

describe('the OpenAI client', () => {
  it('lists the models', async () => {
    const names = [];
    for await (const { id } of client.models.list()) names.push(id);
    expect(names).toEqual(['small', 'whisper', 'voice']);
  });

  it('reads a whole answer with its usage', async () => {
    fake.chat.push('Good morning.');
    const { choices, usage } = await client.chat.completions.create({ model: 'small', messages });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Good morning.' } });
    expect(usage).toEqual({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 });
  });

  it('assembles a streamed answer with text, tool calls and usage', async () => {
    const toolCalls = [
      { name: 'weather', arguments: { city: 'Berlin' } },
      { name: 'weather', arguments: { city: 'Paris' } },
    ];
    fake.chat.push({ text: 'One moment, please.', toolCalls });
    const stream = client.chat.completions.stream({
      model: 'small',
      messages,
      tools: [weather],
      stream_options: { include_usage: true },
    });
    let deltas = 0;
    stream.on('content', () => {
      deltas += 1;
    });
    const { choices, usage } = await stream.finalChatCompletion();
    const [choice] = choices;
    expect(deltas).toBeGreaterThanOrEqual(3);
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.content).toBe('One moment, please.');
    expect(
      choice?.message.tool_calls?.map((call) => call.type === 'function' && call.function),
    ).toMatchObject(
      toolCalls.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(given) })),
    );
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  it('gets transcripts: as JSON, as text, and streamed', async () => {
    fake.audio.push('one', 'two', 'three four');
    const file = await toFile(Buffer.from('RIFF'), 'a.wav');
    const request = { model: 'whisper', file };
    expect(await client.audio.transcriptions.create(request)).toEqual({ text: 'one' });
    expect(await client.audio.transcriptions.create({ ...request, response_format: 'text' })).toBe('two\n');
    const events = [];
    for await (const event of await client.audio.transcriptions.create({ ...request, stream: true }))
      events.push(event);
    expect(events.at(0)).toEqual({ type: 'transcript.text.delta', delta: 'three' });
    expect(events.at(-1)).toEqual({ type: 'transcript.text.done', text: 'three four' });
  });

  it('gets speech as long as its text, as samples and as a WAV file', async () => {
    const speak = async (input: string, response_format: 'pcm' | 'wav'): Promise<Buffer> => {
      const answer = await client.audio.speech.create({
        model: 'voice',
        voice: 'alloy',
        input,
        response_format,
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    const short = await speak('Good day.', 'pcm');
    expect(await speak('Good day. Good day.', 'pcm')).not.toHaveLength(short.length);
    const wav = await speak('Good day.', 'wav');
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.subarray(44)).toEqual(short);
  });

  it.each([
    ['a wrong key', { apiKey: 'wrong' }, {}, 401],
    ['a model that does not exist', {}, { model: 'large' }, 404],
    ['a field that does not exist', {}, { maxTokens: 5 }, 400],
    [
      'a result without its tool call',
      {},
      { messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] },
      400,
    ],
  ])('is refused with %s', async (_, options, change, status) => {
    const other = client.withOptions(options);
    const request = { model: 'small', messages, ...change } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const error = await failure(other.chat.completions.create(request));
    expect(error).toBeInstanceOf(APIError);
    expect(error.status).toBe(status);
  });

  it('sees each fault of a request as the error that it stands for', async () => {
    const faults: [string, number | undefined][] = [
      ['5xx-before', 500],
      ['429', 429],
      ['4xx', 400],
      ['refuse', undefined],
      ['reset-before', undefined],
    ];
    for (const [mode, status] of faults) {
      fake.faults.set({ target: 'chat', mode, times: 1, retryAfter: 7 });
      const error = await failure(client.chat.completions.create({ model: 'small', messages }));
      expect([mode, error.status]).toEqual([mode, status]);
      if (status === 429) expect(error.headers?.get('retry-after')).toBe('7');
    }
    await client.chat.completions.create({ model: 'small', messages });
  });

  it('sees the faults of transcriptions and speech too, each on its own path', async () => {
    const file = await toFile(Buffer.from('RIFF'), 'a.wav');
    const hear = () => client.audio.transcriptions.create({ model: 'whisper', file });
    const speak = async (): Promise<number> => {
      const request = { model: 'voice', voice: 'alloy', input: 'Good day.', response_format: 'pcm' as const };
      return (await (await client.audio.speech.create(request)).arrayBuffer()).byteLength;
    };
    const whole = await speak();
    for (const [target, call] of [
      ['transcriptions', hear],
      ['speech', speak],
    ] as const) {
      fake.faults.set({ target, mode: '429', times: 1, retryAfter: 3 });
      expect((await failure(call())).status).toBe(429);
      fake.faults.set({ target: `${target}-answer`, mode: 'reset-mid', times: 1 });
      await expect(call()).rejects.toThrow();
    }
    fake.faults.set({ target: 'transcriptions-answer', mode: 'invalid-json', times: 1 });
    await expect(hear()).rejects.toThrow();
    expect(await hear()).toEqual({ text: 'Hello, this is a test.' });
    expect(await speak()).toBe(whole);
  });

  it.each(['html', 'invalid-json', 'reset-mid'])('does not take "%s" for an answer', async (mode) => {
    fake.faults.set({ target: 'chat-answer', mode, times: 2 });
    fake.chat.rule = () => 'A rather long answer of several words.';
    const read = async (): Promise<string> => {
      let text = '';
      const stream = await client.chat.completions.create({ model: 'small', messages, stream: true });
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
      return text;
    };
    const text = await read().catch(() => 'failed');
    expect(text).not.toContain('several words.');
  });

  it('hears nothing more of an answer that hangs, or never gets to its end', async () => {
    for (const mode of ['hang-mid', 'endless']) {
      fake.faults.set({ target: 'chat-answer', mode, times: 1 });
      fake.chat.push('one two three four');
      const stream = await client.chat.completions.create({ model: 'small', messages, stream: true });
      let pieces = 0;
      let text = '';
      for await (const { choices } of stream) {
        pieces += 1;
        text += choices[0]?.delta.content ?? '';
        if (text === 'one two' || pieces === 100) break;
      }
      expect([mode, text]).toEqual([mode, mode === 'endless' ? '' : 'one two']);
    }
  });

  it.each([
    ['invalid-arguments', 1],
    ['ten-tools', 10],
    ['unknown-tool', 1],
  ])('gets the tool calls of a model that errs: %s', async (mode, count) => {
    fake.faults.set({ target: 'chat-answer', mode, times: 1 });
    const { choices } = await client.chat.completions.create({ model: 'small', messages, tools: [weather] });
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(calls).toHaveLength(count);
    const [call] = calls;
    if (call?.type !== 'function') throw new Error('no tool call');
    if (mode === 'invalid-arguments') expect(() => JSON.parse(call.function.arguments)).toThrow();
    else JSON.parse(call.function.arguments);
    expect(call.function.name === 'weather').toBe(mode !== 'unknown-tool');
  });
});
