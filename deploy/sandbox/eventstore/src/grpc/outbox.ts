// Sends a read's messages no faster than its client takes them, and ends its waiting when the client goes away.
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** A call of Streams/Read, whose answers are messages that are already encoded. */
export type ReadCall = ServerWritableStream<streams.ReadReq, Buffer>;

export class Outbox {
  /** The client has cancelled or lost the call: nothing that is sent will arrive. */
  closed = false;
  private full = false;
  private wakeUp: () => void = () => undefined;

  constructor(private readonly call: ReadCall) {
    const close = () => {
      this.closed = true;
      this.wake();
    };
    call.on('cancelled', close);
    call.on('close', close);
    call.on('error', close);
    call.on('drain', () => {
      this.full = false;
      this.wake();
    });
  }

  /** Sends one message; false asks to wait for `drained()` before the next. */
  send(message: Buffer): boolean {
    if (this.closed) return false;
    this.full = !this.call.write(message);
    return !this.full;
  }

  /** Resolves when the client has room again, or is gone. */
  drained(): Promise<void> {
    return this.until(() => !this.full);
  }

  /** Resolves when `condition` holds or the call is closed; it is looked at again after each `wake()`. */
  async until(condition: () => boolean): Promise<void> {
    while (!this.closed && !condition()) {
      await new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
    }
  }

  /** Makes a pending `until` look at its condition again. */
  readonly wake = (): void => this.wakeUp();
}
