// `POST /v1/audio/transcriptions` and `POST /v1/audio/speech`.
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Context } from './context.js';
import { invalidRequest } from './errors.js';
import { checkModel } from './models.js';
import { sendStream, sendWhole } from './stream.js';
import { pcmOf, wavOf } from './tone.js';

const TranscriptionFields = z.object({
  model: z.string().min(1),
  language: z.string().optional(),
  response_format: z.enum(['json', 'text', 'verbose_json']).default('json'),
  stream: z.enum(['true', 'false']).default('false'),
});

const formOf = async (request: Request): Promise<FormData> => {
  const body: unknown = request.body;
  const type = request.headers['content-type'] ?? '';
  if (!Buffer.isBuffer(body)) throw invalidRequest('The request has to be multipart/form-data.');
  try {
    return await new globalThis.Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    throw invalidRequest('We could not parse your multipart form.');
  }
};

export const transcriptions =
  (context: Context) =>
  async (request: Request, response: Response): Promise<void> => {
    const form = await formOf(request);
    const file = form.get('file');
    if (file === null || typeof file === 'string' || file.size === 0)
      throw invalidRequest('Audio file is too short. Minimum audio length is 0.1 seconds.', 'file');
    const fields = [...form].filter(([name]) => name !== 'file');
    const { model, language, response_format, stream } = TranscriptionFields.parse(
      Object.fromEntries(fields),
    );
    checkModel(context, model);
    const { mode } = context.faults.take('transcriptions-answer');
    const text = context.audio.next();
    if (stream === 'true') {
      const deltas = text.match(/\s*\S+/g) ?? [];
      const done = { type: 'transcript.text.done', text };
      const events = [...deltas.map((delta) => ({ type: 'transcript.text.delta', delta })), done];
      return sendStream(response, { events, empty: { type: 'transcript.text.delta', delta: '' } }, mode);
    }
    if (response_format === 'text') return sendWhole(response, Buffer.from(`${text}\n`), 'text/plain', mode);
    const verbose = { task: 'transcribe', language: language ?? 'english', duration: 1, text, segments: [] };
    const answer = response_format === 'json' ? { text } : verbose;
    return sendWhole(response, Buffer.from(JSON.stringify(answer)), 'application/json', mode);
  };

const SpeechBody = z.object({
  model: z.string().min(1),
  input: z.string().min(1).max(4_096),
  voice: z.string().min(1),
  response_format: z
    .string()
    .default('mp3')
    .refine((format) => format === 'pcm' || format === 'wav', 'This stand-in speaks pcm and wav only.'),
  speed: z.number().min(0.25).max(4).default(1),
});

export const speech =
  (context: Context) =>
  async (request: Request, response: Response): Promise<void> => {
    const { model, input, response_format, speed } = SpeechBody.parse(request.body);
    checkModel(context, model);
    const { mode } = context.faults.take('speech-answer');
    const samples = pcmOf(input, speed);
    return response_format === 'pcm'
      ? sendWhole(response, samples, 'audio/pcm', mode)
      : sendWhole(response, wavOf(samples), 'audio/wav', mode);
  };
