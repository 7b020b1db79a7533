// Of two files that are chosen one after the other, the newer one counts, whichever arrives first.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Choices, FileRefused, uploadFile } from './file-upload.js';

/** A request whose end the test decides. */
class Request extends EventTarget {
  static readonly sent: Request[] = [];
  readonly upload = new EventTarget();
  readonly status = 200;
  open(): void {}
  setRequestHeader(): void {}
  send(): void {
    Request.sent.push(this);
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
}

describe('an upload', () => {
  const before: unknown = Reflect.get(globalThis, 'XMLHttpRequest');
  afterEach(() => {
    Request.sent.length = 0;
    Reflect.set(globalThis, 'XMLHttpRequest', before);
  });
  const upload = (signal: AbortSignal): Promise<void> =>
    uploadFile('http://localhost/file', new Blob(['a']), 'text/csv', () => undefined, signal);

  it('ends as soon as another file is chosen, and the newer one goes on', async () => {
    Reflect.set(globalThis, 'XMLHttpRequest', Request);
    const choices = new Choices();
    const [first, second] = [choices.next(), choices.next()];
    expect([first.aborted, second.aborted]).toEqual([true, false]);
    const newer = upload(second);
    Request.sent[0]?.dispatchEvent(new Event('load'));
    await expect(newer).resolves.toBeUndefined();
  });

  it('stops on its way when its choice is superseded', async () => {
    Reflect.set(globalThis, 'XMLHttpRequest', Request);
    const choices = new Choices();
    const older = upload(choices.next());
    choices.next();
    await expect(older).rejects.toBeInstanceOf(FileRefused);
  });

  it('does not begin where its choice was superseded before', async () => {
    Reflect.set(globalThis, 'XMLHttpRequest', Request);
    const choices = new Choices();
    const early = choices.next();
    choices.end();
    await expect(upload(early)).rejects.toBeInstanceOf(FileRefused);
    expect(Request.sent).toEqual([]);
  });
});
