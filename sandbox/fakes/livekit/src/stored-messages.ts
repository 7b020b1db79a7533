// Protocol messages kept on disk as one JSON file per kind: rooms end with a restart, trunks and rules do not.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { SIPDispatchRuleInfo, SIPInboundTrunkInfo, SIPOutboundTrunkInfo } from '@livekit/protocol';

/** Anything that JSON can hold, in the library's own words. */
export type Json = Parameters<typeof SIPInboundTrunkInfo.fromJson>[0];

export interface Message {
  toJson(): Json;
}

/** A kind of message: the reader of its JSON, and its id. */
interface Kind<T extends Message> {
  readonly fromJson: (json: Json) => T;
  readonly idOf: (message: T) => string;
}

const lenient = { ignoreUnknownFields: true };

export const inboundTrunks: Kind<SIPInboundTrunkInfo> = {
  fromJson: (json) => SIPInboundTrunkInfo.fromJson(json, lenient),
  idOf: ({ sipTrunkId }) => sipTrunkId,
};
export const outboundTrunks: Kind<SIPOutboundTrunkInfo> = {
  fromJson: (json) => SIPOutboundTrunkInfo.fromJson(json, lenient),
  idOf: ({ sipTrunkId }) => sipTrunkId,
};
export const dispatchRules: Kind<SIPDispatchRuleInfo> = {
  fromJson: (json) => SIPDispatchRuleInfo.fromJson(json, lenient),
  idOf: ({ sipDispatchRuleId }) => sipDispatchRuleId,
};

export class StoredMessages<T extends Message> {
  readonly #file: string;
  readonly #kind: Kind<T>;
  readonly #messages: Map<string, T>;

  constructor(file: string, kind: Kind<T>) {
    this.#file = file;
    this.#kind = kind;
    const stored: Json[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    const messages = stored.map((json) => kind.fromJson(json));
    this.#messages = new Map(messages.map((message) => [kind.idOf(message), message]));
  }

  get(id: string): T | undefined {
    return this.#messages.get(id);
  }

  /** In the order of their ids. */
  all(): T[] {
    return [...this.#messages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, message]) => message);
  }

  /** On disk when it returns. */
  put(message: T): void {
    this.#messages.set(this.#kind.idOf(message), message);
    this.#save();
  }

  delete(id: string): void {
    this.#messages.delete(id);
    this.#save();
  }

  #save(): void {
    const file = openSync(`${this.#file}.new`, 'w', 0o600);
    writeSync(file, JSON.stringify(this.all().map((message) => message.toJson())));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
