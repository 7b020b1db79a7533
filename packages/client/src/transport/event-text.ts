// The text of a stream, taken apart as it arrives. A sign of life has an id and no data. Parsers of events pass over it, and with
// it over the place up to which the reader has read.
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export type Message = EventSourceMessage;
type Arrived = Message | { readonly beat: string };

const endOfBlock = /\r\n\r\n|\n\n|\r\r/g;
/** The characters of an end that may have arrived before the rest of it. */
const mostOfEnd = 3;
const idLine = /^id: ?(.+)$/m;

export class EventText {
  #pending = '';
  #message: Message | undefined;
  readonly #parser = createParser({
    onEvent: (message) => {
      this.#message = message;
    },
  });

  /** The events and signs of life that the text completes, in their order. */
  take(text: string): readonly Arrived[] {
    const searchFrom = Math.max(0, this.#pending.length - mostOfEnd);
    this.#pending += text;
    endOfBlock.lastIndex = searchFrom;
    const found: Arrived[] = [];
    let begin = 0;
    while (endOfBlock.exec(this.#pending) !== null) {
      found.push(...this.#read(this.#pending.slice(begin, endOfBlock.lastIndex)));
      begin = endOfBlock.lastIndex;
    }
    this.#pending = this.#pending.slice(begin);
    return found;
  }

  #read(block: string): readonly Arrived[] {
    this.#message = undefined;
    this.#parser.feed(block);
    if (this.#message !== undefined) return [this.#message];
    const id = idLine.exec(block)?.[1];
    return id === undefined ? [] : [{ beat: id }];
  }
}
