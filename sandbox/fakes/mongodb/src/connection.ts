// One client's connection: its commands run one after the other, as on a real server, and fail as the switches say.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultMode } from '@parlance/fake-kit';
import type { Document } from 'bson';
import { ADMIN } from './admin.js';
import { checkConcerns, type Handler } from './command.js';
import type { Cursors } from './cursors.js';
import { CommandError, shuttingDown } from './errors.js';
import { interrupted, type MemberMode, type MongoFaults, overloaded, refused, targetOf } from './faults.js';
import type { Login } from './login.js';
import { toldOfMember } from './member.js';
import { READS } from './reads.js';
import type { Store } from './store.js';
import { type CursorReply, MessageSplitter, type Request, readRequest, writeReply } from './wire.js';
import { WRITES } from './writes.js';

const COMMANDS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...ADMIN, ...READS, ...WRITES }));

/** The parts of the server that a connection works with. */
export interface Context {
  readonly store: Store;
  readonly cursors: Cursors;
  readonly connectionId: number;
  readonly faults: MongoFaults;
  readonly login: Login;
}

async function answer(context: Context, request: Request): Promise<Document | CursorReply> {
  const { body } = request;
  const [name = ''] = Object.keys(body);
  try {
    const handler = COMMANDS.get(name);
    if (handler === undefined) throw new CommandError(59, `no such command: '${name}'`);
    context.login.check(name);
    checkConcerns(body);
    if (!context.store.isOpen) throw shuttingDown();
    const db = typeof body.$db === 'string' ? body.$db : 'admin';
    return await handler({ ...context, db, name, body, raw: request.raw });
  } catch (error) {
    if (error instanceof CommandError) return error.toReply();
    return new CommandError(8, error instanceof Error ? error.message : String(error)).toReply();
  }
}

/** The action of a fault in place of the command; undefined if the fault lets it run. */
const INSTEAD: Readonly<Partial<Record<FaultMode | MemberMode, (socket: Socket) => Document | 'silence'>>> = {
  refuse: (socket) => silenced(() => socket.destroy()),
  'reset-before': (socket) => silenced(() => socket.resetAndDestroy()),
  '4xx': () => refused.toReply(),
  '429': () => overloaded.toReply(),
  '5xx-before': () => interrupted.toReply(),
};

/** The action of a fault in place of the answer, once the command has run. */
const AFTERWARDS: typeof INSTEAD = {
  '5xx-after': () => interrupted.toReply(),
  'hang-after': () => 'silence',
  'reset-after': (socket) => silenced(() => socket.resetAndDestroy()),
};

function silenced(act: () => void): 'silence' {
  act();
  return 'silence';
}

/** The answer, or `silence` if a fault swallows it. */
async function answerWithFaults(
  socket: Socket,
  context: Context,
  request: Request,
): Promise<Document | CursorReply | 'silence'> {
  const { mode: asMember } = context.faults.take('member');
  const told = toldOfMember(asMember, request.body, `${socket.localAddress}:${socket.localPort}`);
  if (told !== undefined) return 'ok' in told ? told : { ...(await answer(context, request)), ...told };
  const target = targetOf(Object.keys(request.body)[0] ?? '');
  if (target === undefined) return answer(context, request);
  const { mode, ms } = context.faults.take(target);
  if (mode === 'slow') await delay(ms);
  const instead = INSTEAD[mode]?.(socket);
  if (instead !== undefined) return instead;
  const reply = await answer(context, request);
  return AFTERWARDS[mode]?.(socket) ?? reply;
}

/** Serves a connection until either side closes it. */
export function serve(socket: Socket, context: Context): void {
  const splitter = new MessageSplitter();
  let last = Promise.resolve();
  // Once a fault has swallowed an answer nothing that follows is read either.
  let silent = false;
  const handle = async (message: Buffer): Promise<void> => {
    if (silent) return;
    try {
      const request = readRequest(message);
      const reply = await answerWithFaults(socket, context, request);
      if (reply === 'silence') silent = true;
      else if (request.wantsReply && socket.writable) socket.write(writeReply(request, reply));
    } catch {
      // Not the protocol: a real server closes the connection too.
      socket.destroy();
    }
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    try {
      for (const message of splitter.push(chunk)) last = last.then(() => handle(message));
    } catch {
      socket.destroy();
    }
  });
}
