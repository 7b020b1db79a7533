// Reads server-sent events from the body of an answer. EventSource cannot be used: it sends neither POST nor a body.

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const fieldOf = (line: string): readonly [string, string] => {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
};

const eventOf = (block: string): ServerEvent | undefined => {
  const fields = block.split(/\r\n|\r|\n/).map(fieldOf);
  const all = (name: string): readonly string[] =>
    fields.filter(([field]) => field === name).map(([, value]) => value);
  const data = all('data');
  return data.length === 0 ? undefined : { name: all('event').at(-1) ?? 'message', data: data.join('\n') };
};

const blockEnd = /\r\n\r\n|\n\n|\r\r/;

/** Takes text as it comes, in pieces of any length. @returns the events that are complete with this piece */
export const eventParser = (): ((piece: string) => readonly ServerEvent[]) => {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split(blockEnd);
    rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter((event) => event !== undefined);
  };
};

/** The events of a body, until it ends. An event that is cut off is not told. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = eventParser();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      yield* parse(decoder.decode(chunk.value, { stream: true }));
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
