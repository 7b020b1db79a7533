// The simulated voice runtime in text: answers `POST /text-turns` by the script, with the tool and the documents of the
// agent. It keeps nothing between two questions: the turns show the progress of the conversation.
import { setTimeout as delay } from 'node:timers/promises';
import { type RuntimeConfig, TextTurnRequest } from '@parlance/contracts';
import { type Listening, listen, sameSecret } from '@parlance/fake-kit';
import express, { type RequestHandler, type Response } from 'express';
import { abilitiesOf } from './abilities.js';
import { configurationOf, factsOf, variablesOf } from './call-context.js';
import type { Line } from './conversation.js';
import { questionsFor } from './errands.js';
import { type PlatformAddress, PlatformClient } from './platform-client.js';
import { scriptFor } from './scripts.js';

export interface TextRuntimeOptions extends PlatformAddress {
  readonly port?: number;
  /** From one word to the next, in milliseconds; 20 unless given. */
  readonly wordMs?: number;
}

type Question = ReturnType<(typeof TextTurnRequest)['parse']>;

const farewell = /\b(bye|goodbye|tschüss|auf wieder(sehen|hören)|adiós|au revoir)\b/i;

/** The script, with each ability used once after its first sentence. Its last sentence answers all that comes later. */
const linesFor = async ({ context, turns }: Question, found: RuntimeConfig): Promise<Line[]> => {
  const config = configurationOf(context, found.config);
  const script = scriptFor(config.agent_language);
  const abilities = abilitiesOf(context.callId, found.runtime);
  const errands = questionsFor(abilities, found, script, variablesOf(context, config));
  const [first, ...others] = script.exchanges.map(
    ({ agent }) =>
      async (): Promise<Line[]> => [{ role: 'agent', text: agent }],
  );
  const answers = [first, ...errands.map(({ answer }) => answer), ...others].filter(
    (answer) => answer !== undefined,
  );
  const place = turns.filter(({ role }) => role === 'user').length - 1;
  return (await answers[Math.min(place, answers.length - 1)]?.()) ?? [];
};

const send = (response: Response, event: string, data: object): void => {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
};

const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

const sendLine = async (
  response: Response,
  { role, text, toolCall = null, sources = [] }: Line,
  {
    wordMs,
    language,
    gone,
  }: { readonly wordMs: number; readonly language: string; readonly gone: AbortSignal },
): Promise<void> => {
  if (role === 'agent')
    for (const delta of wordsOf(text)) {
      send(response, 'text', { delta });
      await delay(wordMs, undefined, { signal: gone });
    }
  send(response, 'turn', { turn: { role, text, language, toolCall, sources } });
};

const guard =
  (internalKey: string): RequestHandler =>
  (request, response, next) => {
    if (sameSecret(request.get('x-internal-key') ?? '', internalKey)) next();
    else response.status(401).json({ error: 'the internal key is wrong' });
  };

const answerWith =
  ({ wordMs = 20 }: TextRuntimeOptions, platform: PlatformClient): RequestHandler =>
  async (request, response) => {
    const parsed = TextTurnRequest.safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: 'this is no text turn' });
    const question = parsed.data;
    const { context, turns } = question;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.setHeader('content-type', 'text/event-stream');
    response.flushHeaders();
    try {
      const found = await platform.configuration(`internal-config/${context.agentId}`, factsOf(context));
      if (found === undefined || found.initiation?.action === 'reject')
        throw new Error('the platform has no configuration for the call');
      const isLast = farewell.test(turns.at(-1)?.text ?? '');
      const language = context.language ?? found.config.agent_language;
      const lines: Line[] = isLast
        ? [{ role: 'agent', text: 'Thank you, and goodbye.' }]
        : await linesFor(question, found);
      for (const line of lines) await sendLine(response, line, { wordMs, language, gone: gone.signal });
      if (isLast) send(response, 'end', { reason: 'agent_hangup' });
    } catch (error) {
      if (!gone.signal.aborted)
        send(response, 'error', { message: error instanceof Error ? error.message : String(error) });
    }
    response.end();
  };

/** Resolves when it listens, on loopback. */
export const startTextRuntime = (options: TextRuntimeOptions): Promise<Listening> => {
  const app = express();
  app.disable('x-powered-by');
  const read = express.json({ limit: '4mb' });
  app.post('/text-turns', guard(options.internalKey), read, answerWith(options, new PlatformClient(options)));
  app.use((_request, response) => void response.status(404).json({ error: 'there is no such path' }));
  return listen(app, options);
};
