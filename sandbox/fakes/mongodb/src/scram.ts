// Logging in with SCRAM-SHA-256 (RFC 5802, 7677): neither side ever sends the password, and each proves that it knows it.
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CommandError } from './errors.js';

export const MECHANISM = 'SCRAM-SHA-256';
/** A real server's default; drivers refuse fewer than 4,096. */
const ITERATIONS = 15_000;

/** The user that may log in. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The values that a server keeps in place of a password. */
export interface Verifier {
  readonly username: string;
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Derives the stored values; takes some milliseconds, as it should. */
export async function verifierOf({ username, password }: Credentials): Promise<Verifier> {
  const salt = randomBytes(28);
  // SASLprep applies NFKC to every password that it does not refuse.
  const salted = await promisify(pbkdf2)(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  return {
    username,
    salt,
    storedKey: hash(hmac(salted, 'Client Key')),
    serverKey: hmac(salted, 'Server Key'),
  };
}

/** The answer to every wrong login: it does not name the fault. */
export function authenticationFailed(): CommandError {
  return new CommandError(18, 'Authentication failed.');
}

/** The attributes of a message, such as `n=user,r=nonce`, by their letter. */
function attributes(message: string): ReadonlyMap<string, string> {
  return new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** One attempt to log in: the client's two messages and the answers to them. */
export class Conversation {
  private readonly clientFirst: string;
  private readonly nonce: string;
  private readonly serverFirst: string;

  /** @throws CommandError 18 if this is no first message of a client */
  constructor(
    private readonly verifier: Verifier,
    first: string,
  ) {
    // "n,," says that the client binds to no channel and acts for itself alone.
    if (!first.startsWith('n,,')) throw authenticationFailed();
    this.clientFirst = first.slice(3);
    this.nonce = `${attributes(this.clientFirst).get('r') ?? ''}${randomBytes(24).toString('base64')}`;
    this.serverFirst = `r=${this.nonce},s=${verifier.salt.toString('base64')},i=${ITERATIONS}`;
  }

  /** The values that the client needs for its proof; the same for a user that does not exist. */
  get challenge(): string {
    return this.serverFirst;
  }

  /**
   * Checks the client's proof and gives the server's own.
   *
   * @throws CommandError 18
   */
  finish(last: string): string {
    const { storedKey, serverKey, username } = this.verifier;
    const end = last.lastIndexOf(',p=');
    const message = [this.clientFirst, this.serverFirst, last.slice(0, end)].join(',');
    const proof = Buffer.from(last.slice(end + 3), 'base64');
    const signature = hmac(storedKey, message);
    if (end < 0 || proof.length !== signature.length) throw authenticationFailed();
    const clientKey = proof.map((byte, i) => byte ^ (signature[i] ?? 0));
    const knows = timingSafeEqual(hash(Buffer.from(clientKey)), storedKey);
    const name = attributes(this.clientFirst).get('n')?.replaceAll('=2C', ',').replaceAll('=3D', '=');
    const fresh = attributes(last).get('r') === this.nonce;
    if (!knows || !fresh || name !== username) throw authenticationFailed();
    return `v=${hmac(serverKey, message).toString('base64')}`;
  }
}
