// For tests: a voice runtime that answers text over HTTP as the test says, and remembers the requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TextTurnRequest } from '@parlance/contracts';

type Question = ReturnType<(typeof TextTurnRequest)['parse']>;

/** One answer that is being given. */
export interface Answering {
  readonly question: Question;
  say(event: string, data: unknown): void;
  /** Words, and then the turn of the agent that they make. */
  reply(...words: readonly string[]): void;
  /** The connection breaks. */
  die(): void;
  /** Resolves when the platform has left. */
  readonly left: Promise<unknown>;
}

const textOf = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const agentTurn = (text: string) => ({
  turn: { role: 'agent', text, language: null, toolCall: null, sources: [] },
});

const answeringOn = (response: ServerResponse, question: Question): Answering => {
  const say = (event: string, data: unknown): void => {
    response.write(textOf(event, data));
  };
  return {
    question,
    say,
    reply: (...words) => {
      for (const delta of words) say('text', { delta });
      say('turn', agentTurn(words.join('')));
    },
    die: () => response.destroy(),
    left: once(response, 'close'),
  };
};

export class ScriptedRuntime {
  readonly asked: { readonly question: Question; readonly headers: IncomingHttpHeaders }[] = [];
  /** A status instead of an answer. */
  refuses: number | undefined;
  /** The answer ends when this resolves. */
  answer: (answering: Answering) => void | Promise<void> = ({ reply }) => reply('Yes.');

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<ScriptedRuntime> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const question = TextTurnRequest.parse(JSON.parse(Buffer.concat(chunks).toString()));
      runtime.asked.push({ question, headers: request.headers });
      if (runtime.refuses !== undefined) {
        response.writeHead(runtime.refuses).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await runtime.answer(answeringOn(response, question));
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const runtime = new ScriptedRuntime(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
    });
    return runtime;
  }
}
