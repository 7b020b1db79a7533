// A caller with a synthetic voice talks with the runtime on a real LiveKit. The words of its voice come from a stand-in of the OpenAI
// protocol; the models of the agent's configuration are away, so each turn is answered by a fall-back. Skipped where LiveKit's server,
// the runtime's packages or espeak-ng are not installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { onPath } from '@parlance/engines';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { eventually } from '@parlance/fixtures';
import { sealModelKey } from '@parlance/models';
import { callerRate } from '../sound/audio.js';
import { resampled, samplesIn, trimmed } from '../sound/recorded.js';
import { missingForCalls, type Stage, type StageOptions, startStage } from './stage.js';

const missing =
  missingForCalls() ?? (onPath('espeak-ng') === undefined ? 'espeak-ng is not installed' : undefined);
if (missing !== undefined) process.stderr.write(`${missing}, so no spoken call is tested\n`);

const waveHeaderBytes = 44;

const recorded = (text: string): Int16Array => {
  const { stdout } = spawnSync('espeak-ng', ['--stdin', '--stdout'], { input: text });
  const rate = stdout.readUInt32LE(24);
  return trimmed(
    resampled(samplesIn(new Uint8Array(stdout.subarray(waveHeaderBytes))), rate, callerRate),
    callerRate,
  );
};

/** Whatever is recognized next. A voice that goes on after a pause is recognized again, as a whole. */
const hears = ({ audio }: RunningOpenAi, words: string): void => {
  audio.clear();
  audio.push(...Array.from({ length: 5 }, () => words));
};

/** Of an organization, for its own server. */
const organizationKey = 'sk-of-the-organization-7c1f0b2e9d';

/** A port on which nothing listens. */
const away = 'http://127.0.0.1:9/v1';
const entry = (kind: 'stt' | 'tts', name: string) => ({
  id: `custom/${name}`,
  kind,
  name,
  model: name,
  baseUrl: away,
  languages: ['*'],
  ...(kind === 'tts' && { voices: [{ id: 'one', name: 'One', languages: ['*'] }] }),
});

(missing === undefined ? describe : describe.skip)('a spoken call', () => {
  let directory: string;
  let speech: RunningOpenAi;
  let own: RunningOpenAi;
  let stage: Stage;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parlance-models-'));
    const file = join(directory, 'models.json');
    writeFileSync(file, JSON.stringify({ models: [entry('stt', 'ear'), entry('tts', 'mouth')] }));
    speech = await startOpenAi();
    own = await startOpenAi({ apiKey: organizationKey });
    const modelsFor: StageOptions['modelsFor'] = (callId, publicKey) =>
      (['stt', 'llm', 'tts'] as const).map((kind) => {
        const model = { id: `custom/own-${kind}`, kind, baseUrl: own.url };
        const sealedKey = sealModelKey(publicKey, new Secret(organizationKey), { callId, ...model });
        return { ...model, model: `${kind}-1`, firstChunkMs: null, fallbacks: [], sealedKey, isUsable: true };
      });
    stage = await startStage({
      config: { sttModel: 'custom/ear', ttsModel: 'custom/mouth' },
      modelsFor,
      environment: {
        SPEECH_URL: speech.url,
        MODELS_FILE: file,
        EGRESS_ALLOW_PRIVATE: `127.0.0.1:${own.port}`,
      },
    });
  }, 240_000);
  afterAll(async () => {
    await stage?.stop();
    await speech?.stop();
    await own?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is greeted and answered aloud by the fall-backs, with its words, times and usage in the record', async () => {
    hears(speech, 'How long does a refund take?');
    const ringing = await stage.ring();
    const caller = await ringing.answer();
    try {
      const greetedAt = await caller.soundAfter(0, 60_000);
      await caller.silenceAfter(greetedAt ?? 0);
      const askedAt = await caller.speak(recorded('How long does a refund take?'));
      const answeredAt = await caller.soundAfter(askedAt, 60_000);
      expect(answeredAt).toBeGreaterThan(askedAt);
      await caller.silenceAfter(answeredAt ?? 0);
      hears(speech, 'That was all, goodbye.');
      await caller.speak(recorded('That was all, goodbye.'));
      const call = await stage.record(ringing.callId);
      expect(call.endedReason).toBe('agent_hangup');
      const said = call.transcript.map(({ role, text }) => `${role}: ${text}`);
      expect(said[1]).toBe('user: How long does a refund take?');
      expect(said[2]).toMatch(/^agent: .*five days/);
      expect(call.transcript[2]?.latencyMs).toBeGreaterThan(0);
      expect(call.latency?.e2eP50Ms).toBeGreaterThan(0);
      expect(call.usage?.map(({ kind, unit }) => `${kind} ${unit}`).sort()).toEqual([
        'stt second',
        'tts character',
      ]);
      const metrics = stage.platform.reports.flatMap(({ name }) => name ?? []);
      expect(metrics).toEqual(
        expect.arrayContaining(['end_of_turn', 'recognition', 'first_token', 'first_sound', 'response']),
      );
    } finally {
      await caller.leave();
    }
  });

  it('is on record at once when the caller hangs up before the first word', async () => {
    const ringing = await stage.ring();
    await eventually(async () => expect(await ringing.hasAgent()).toBe(true));
    const caller = await ringing.answer();
    await caller.leave();
    const { endedReason, transcript } = await stage.record(ringing.callId);
    expect(endedReason).toBe('user_hangup');
    expect(transcript.filter(({ role }) => role === 'user')).toEqual([]);
  });

  it("is held by an organization's own models, and their key is nowhere but at their address", async () => {
    hears(own, 'How long does a refund take?');
    own.chat.push('A refund takes five days.');
    const before = speech.received.length;
    const ringing = await stage.ring({
      sttModel: 'custom/own-stt',
      llmModel: 'custom/own-llm',
      ttsModel: 'custom/own-tts',
      voiceId: 'custom/own-tts/vera',
    });
    const caller = await ringing.answer();
    const greetedAt = await caller.soundAfter(0, 60_000);
    await caller.silenceAfter(greetedAt ?? 0);
    const askedAt = await caller.speak(recorded('How long does a refund take?'));
    const answeredAt = await caller.soundAfter(askedAt, 60_000);
    await caller.silenceAfter(answeredAt ?? 0);
    await caller.leave();
    const { transcript } = await stage.record(ringing.callId);
    expect(transcript.slice(1)).toMatchObject([
      { role: 'user', text: 'How long does a refund take?', sttModel: 'custom/own-stt' },
      {
        role: 'agent',
        text: 'A refund takes five days.',
        model: 'custom/own-llm',
        ttsModel: 'custom/own-tts',
      },
    ]);
    expect(transcript.flatMap(({ fallbacks = [] }) => fallbacks)).toEqual([]);
    const paths = new Set(own.received.map(({ path }) => path));
    expect([...paths].sort()).toEqual([
      '/v1/audio/speech',
      '/v1/audio/transcriptions',
      '/v1/chat/completions',
    ]);
    for (const { path, headers, body } of own.received) {
      expect(headers.authorization).toBe(`Bearer ${organizationKey}`);
      if (path === '/v1/audio/speech') expect(body).toMatchObject({ model: 'tts-1', voice: 'vera' });
    }
    // The operator's speech server judges the end of a turn, and does not hear or speak.
    const ofOperator = speech.received.slice(before);
    expect(new Set(ofOperator.map(({ path }) => path))).toEqual(new Set(['/v1/audio/turns']));
    const elsewhere = [
      stage.output(),
      ...stage.platform.bodies,
      JSON.stringify(caller.captions),
      JSON.stringify(ofOperator),
    ];
    expect(elsewhere.filter((text) => text.includes(organizationKey))).toEqual([]);
  });
});
