// The reason for which a process does not start, where an operator can mend it.

/** The message is one line: the variable or engine, the trouble with it, and the remedy. It holds no secret. */
export class StartRefusal extends Error {
  override readonly name: string = 'StartRefusal';
}
