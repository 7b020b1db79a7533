// A body that arrives at the command of a test, over a connection that a client may end.

const encoder = new TextEncoder();

export class ScriptedBody {
  #signal: AbortSignal | null | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch: typeof fetch = async (_url, init) => {
    this.#signal = init?.signal;
    return new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#controller = controller;
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      }),
    );
  };

  /** True once the client has ended the request. */
  get isEnded(): boolean {
    return this.#signal?.aborted === true;
  }

  arrives(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }
}
