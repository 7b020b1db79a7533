// Conversations in text: the platform posts each question to `/text-turns`, with the conversation so far. Nothing is kept between
// two questions, so any copy of the runtime answers the next one.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Dialogue } from './dialogue.js';
import { type CallContext, CallSession, type Platform, type Turn } from './protocol.js';

export interface TextTurnOptions {
  readonly platform: Pick<Platform, 'configuration'>;
  readonly internalKey: string;
}

interface Question {
  readonly context: CallContext;
  /** The last turn is the visitor's. */
  readonly turns: readonly Pick<Turn, 'role' | 'text'>[];
}

/** The platform sends two mebibytes of turns at most. */
const mostBytes = 4 * 1024 * 1024;

const isKey = (given: unknown, key: string): boolean => {
  const [one, other] = [Buffer.from(String(given ?? '')), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Undefined for a body that is too long. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const send = (response: ServerResponse, event: string, data: object): void => {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
};

const answer = async (
  response: ServerResponse,
  platform: TextTurnOptions['platform'],
  question: Question,
) => {
  const { context, turns } = question;
  const found = await platform.configuration(context);
  if (found === undefined) return send(response, 'error', { message: 'there is nothing to run' });
  const session = new CallSession(context.callId, found.runtime);
  const dialogue = new Dialogue({ context, found, session });
  dialogue.resume(turns.slice(0, -1));
  const { text, isLast, toolCall = null, sources = [] } = await dialogue.answer(turns.at(-1)?.text ?? '');
  const language = context.language ?? found.config.agent_language;
  if (toolCall !== null)
    send(response, 'turn', { turn: { role: 'tool', text: '', language, toolCall, sources: [] } });
  for (const delta of text.match(/\S+\s*/g) ?? []) send(response, 'text', { delta });
  send(response, 'turn', { turn: { role: 'agent', text, language, toolCall: null, sources } });
  if (isLast) send(response, 'end', { reason: 'agent_hangup' });
};

const refuse = (response: ServerResponse, status: number): void => {
  response.writeHead(status).end();
};

/** A server that answers text turns; the caller lets it listen. */
export const textTurnServer = ({ platform, internalKey }: TextTurnOptions): Server =>
  createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/text-turns') return refuse(response, 404);
    if (!isKey(request.headers['x-internal-key'], internalKey)) return refuse(response, 401);
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    try {
      await answer(response, platform, JSON.parse(body) as Question);
    } catch (error) {
      send(response, 'error', { message: error instanceof Error ? error.message : String(error) });
    }
    response.end();
    return undefined;
  });
