// The user of a connection: the commands that log in, and the gate in front of all others.
import { Binary, type Document } from 'bson';
import { CommandError } from './errors.js';
import { authenticationFailed, Conversation, MECHANISM, type Verifier } from './scram.js';

/** Commands that are open before logging in. */
const OPEN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']);
const CONVERSATION_ID = 1;

function payloadOf(body: Document): string {
  if (!(body.payload instanceof Binary)) throw authenticationFailed();
  return Buffer.from(body.payload.buffer.subarray(0, body.payload.position)).toString();
}

function reply(payload: string, done: boolean): Document {
  return { conversationId: CONVERSATION_ID, done, payload: new Binary(Buffer.from(payload)), ok: 1 };
}

/** The login of one connection; without a verifier no client has to log in, and none can. */
export class Login {
  private conversation: Conversation | undefined;
  private proved = false;
  private loggedIn: boolean;
  private skipsEmptyExchange = false;

  constructor(private readonly verifier: Verifier | undefined) {
    this.loggedIn = verifier === undefined;
  }

  /** @throws CommandError 13 if this command needs a login that has not taken place */
  check(command: string): void {
    if (this.loggedIn || OPEN.has(command)) return;
    throw new CommandError(13, `Command ${command} requires authentication`);
  }

  /** The fields that `hello` adds to its answer when the client asks for a user's login mechanisms. */
  mechanisms(body: Document): Document {
    const asked: unknown = body.saslSupportedMechs;
    if (this.verifier === undefined || typeof asked !== 'string') return {};
    return { saslSupportedMechs: [MECHANISM] };
  }

  /** The first message of a client; throws CommandError 18 for a mechanism or a start that is not known here. */
  start(body: Document): Document {
    if (this.verifier === undefined || body.mechanism !== MECHANISM) throw authenticationFailed();
    this.conversation = new Conversation(this.verifier, payloadOf(body));
    const options: unknown = body.options;
    this.skipsEmptyExchange =
      typeof options === 'object' && options !== null && Reflect.get(options, 'skipEmptyExchange') === true;
    return reply(this.conversation.challenge, false);
  }

  /** The second message, and the empty third of clients that send one; throws CommandError 18 for a wrong proof. */
  continue(body: Document): Document {
    const { conversation } = this;
    if (this.proved) return this.enter('');
    if (conversation === undefined || Number(body.conversationId) !== CONVERSATION_ID)
      throw authenticationFailed();
    this.conversation = undefined;
    const proof = conversation.finish(payloadOf(body));
    if (this.skipsEmptyExchange) return this.enter(proof);
    this.proved = true;
    return reply(proof, false);
  }

  private enter(payload: string): Document {
    this.proved = false;
    this.loggedIn = true;
    return reply(payload, true);
  }
}
