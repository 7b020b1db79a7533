// A fake NATS for a client that asks JetStream a few questions. It answers by the script of the test, for example as a
// cluster with lost servers, or as an old server.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface FakeNatsOptions {
  /** Fields of its first line that differ from those of a healthy server. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Answers of JetStream's API by the subject after `$JS.API.`; a question without an answer stays open. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

export interface FakeNats {
  /** The address with the credentials of an administrator. */
  readonly url: string;
  stop(): void;
}

const healthy = {
  ...{ server_id: 'FAKE', server_name: 'fake', version: '2.12.8', proto: 1, go: 'go1.25', host: '127.0.0.1' },
  ...{ headers: true, max_payload: 8 * 1024 * 1024, jetstream: true, client_id: 1 },
};
const api = '$JS.API.';

/** Lines and payloads of one connection: `PUB <subject> <reply> <bytes>` is followed by a payload. */
const answerOn = (socket: Socket, answers: Readonly<Record<string, unknown>>): void => {
  const inboxes: { readonly prefix: string; readonly sid: string }[] = [];
  let waiting = Buffer.alloc(0);

  const publish = (subject: string, reply: string): void => {
    const answer = subject.startsWith(api) ? answers[subject.slice(api.length)] : undefined;
    const inbox = inboxes.find(({ prefix }) => reply.startsWith(prefix));
    if (answer === undefined || inbox === undefined) return;
    const text = JSON.stringify(answer);
    socket.write(`MSG ${reply} ${inbox.sid} ${Buffer.byteLength(text)}\r\n${text}\r\n`);
  };

  socket.on('data', (data: Buffer) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      const end = waiting.indexOf('\r\n');
      if (end < 0) return;
      const [verb = '', ...words] = waiting.toString('utf8', 0, end).split(' ');
      const isMessage = verb === 'PUB' || verb === 'HPUB';
      const next = end + 2 + (isMessage ? Number(words.at(-1)) + 2 : 0);
      if (waiting.length < next) return;
      waiting = waiting.subarray(next);
      if (verb === 'PING') socket.write('PONG\r\n');
      if (verb === 'SUB')
        inboxes.push({ prefix: (words[0] ?? '').replace(/\*$/, ''), sid: words.at(-1) ?? '' });
      if (isMessage) publish(words[0] ?? '', words[1] ?? '');
    }
  });
};

export const startFakeNats = async ({ info = {}, answers = {} }: FakeNatsOptions): Promise<FakeNats> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answerOn(socket, answers);
    socket.write(`INFO ${JSON.stringify({ ...healthy, ...info })}\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `nats://parlance:unused@127.0.0.1:${port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
