// The speech server of a measurement: the one that SPEECH_URL names, or the local service of a data folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dyingWithParent, freePort, startChild } from '@parlance/engines';
import { speechServiceCommand } from '@parlance/start';

export interface SpeechServer {
  /** Address up to `/v1`. */
  readonly url: string;
  readonly key: string;
  /** Undefined where it was not started here. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const loadTimeoutMs = 180_000;

/** @throws Error with a sentence that says what is missing */
export const startSpeech = async (dataFolder: string): Promise<SpeechServer> => {
  const { SPEECH_URL: url, SPEECH_KEY: key = '' } = process.env;
  if (url) return { url: url.replace(/\/+$/, ''), key, pid: undefined, stop: async () => undefined };
  const service = speechServiceCommand(dataFolder, { port: await freePort() });
  if ('missing' in service)
    throw new Error(`${service.missing} Or name a speech server of the OpenAI protocol in SPEECH_URL.`);
  const folder = mkdtempSync(join(tmpdir(), 'parlance-speech-'));
  const child = await startChild({
    name: 'the speech service',
    command: dyingWithParent([service.command, ...service.args], 'TERM'),
    env: service.env,
    logFile: join(folder, 'speech.log'),
    startTimeoutMs: loadTimeoutMs,
    probe: async () => {
      const { status } = await fetch(service.healthUrl);
      if (status !== 200) throw new Error(`${status}`);
    },
  });
  return {
    url: service.baseUrl,
    key: service.key,
    pid: child.pid(),
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A server may close an idle connection at the moment of the next request. */
export const fetchAgain = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return fetch(url, init);
  }
};

/** @param wav any rate and number of channels */
export const transcribe = async (
  { url, key }: Pick<SpeechServer, 'url' | 'key'>,
  wav: Uint8Array<ArrayBuffer>,
  { language, prompt }: { readonly language: string; readonly prompt?: string | undefined },
): Promise<string> => {
  const form = new FormData();
  form.set('file', new Blob([wav], { type: 'audio/wav' }), 'audio.wav');
  form.set('model', process.env.SPEECH_STT_MODEL ?? 'whisper-1');
  form.set('language', language.slice(0, 2));
  if (prompt) form.set('prompt', prompt);
  const response = await fetchAgain(`${url}/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  if (!response.ok) throw new Error(`no transcription: ${response.status} ${await response.text()}`);
  const { text } = (await response.json()) as { readonly text: string }; // OpenAI's protocol
  return text.trim();
};
