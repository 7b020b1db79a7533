// A reply on the wire: a line of JSON with the error or the extras, then the data as JSON. The data stays apart, so
// that the gateway can pass it on without parsing it and writing it again.
import type { WireError } from '@parlance/errors';
import { parseJson, stringifyJson } from '@parlance/json';
import type { Answer, AnswerExtras } from './answer.js';

export type Outcome = { readonly error: WireError } | Answer<unknown>;

/** The content of the first line. */
type Head = { readonly error: WireError } | AnswerExtras;

/** An answer whose data is still JSON text in UTF-8; empty when there is none. */
export interface UnparsedAnswer extends AnswerExtras {
  readonly json: Uint8Array;
}

const lineFeed = 0x0a;
/** Begins a reply to a sender that makes envelopes. JSON never begins like this. */
const mark = 0x02;
const markText = String.fromCharCode(mark);
const nothing = new Uint8Array();
const decoder = new TextDecoder();

/** JSON never contains a bare line feed, so the first one ends the head. */
export const encodeReply = (outcome: Outcome): string => {
  if ('error' in outcome) return `${stringifyJson({ error: outcome.error })}\n`;
  const { data, ...extras } = outcome;
  return `${JSON.stringify(extras)}\n${stringifyJson(data) ?? ''}`;
};

/** The reply of a service that takes envelopes, for a sender that makes them. */
export const encodeMarkedReply = (outcome: Outcome): string => markText + encodeReply(outcome);

/** True where the service takes envelopes. */
export const isMarkedReply = (bytes: Uint8Array): boolean => bytes[0] === mark;

/** @throws SyntaxError for bytes that are no reply */
export const decodeReply = (bytes: Uint8Array): { readonly error: WireError } | UnparsedAnswer => {
  const end = bytes.indexOf(lineFeed);
  if (end === -1) throw new SyntaxError('not a reply');
  const start = isMarkedReply(bytes) ? 1 : 0;
  // Written by `encodeReply`, and only services of the platform may publish to a reply subject.
  const head = JSON.parse(decoder.decode(bytes.subarray(start, end))) as Head;
  if ('error' in head) return head;
  return { ...head, json: end + 1 === bytes.length ? nothing : bytes.subarray(end + 1) };
};

export const parseData = (json: Uint8Array): unknown =>
  json.length === 0 ? undefined : parseJson(decoder.decode(json));
