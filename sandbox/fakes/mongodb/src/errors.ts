// The errors a MongoDB server answers with: code, codeName and message, as drivers map them to their own classes.
import type { Document } from 'bson';

const CODE_NAMES: Readonly<Record<number, string>> = {
  2: 'BadValue',
  8: 'UnknownError',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  16: 'InvalidLength',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  53: 'InvalidIdField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  123: 'NotAReplicaSet',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  462: 'IngressRequestRateLimitExceeded',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  14031: 'OutOfDiskSpace',
  17280: 'KeyTooLong',
};

/** An error that is answered to the client; `extra` carries fields such as keyPattern and keyValue. */
export class CommandError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly extra: Document = {},
  ) {
    super(message);
  }

  /** The reply of a command that failed as a whole. */
  toReply(): Document {
    const codeName = CODE_NAMES[this.code] ?? `Location${this.code}`;
    return { ok: 0, errmsg: this.message, code: this.code, codeName, ...this.extra };
  }

  /** One entry of `writeErrors`: the statement at `index` failed, the command did not. */
  toWriteError(index: number): Document {
    return { index, code: this.code, errmsg: this.message, ...this.extra };
  }
}

/** The answer to every command once the server stops. */
export function shuttingDown(): CommandError {
  return new CommandError(91, 'The server is shutting down');
}

/** The refusal for an option that exists on a real server and changes results, but not here. */
export function refuse(what: string): CommandError {
  return new CommandError(72, `${what} is not supported by this server`);
}
