// Where a conversation by rules stands. It follows from the turns alone, so that any replica can answer the next one.
import type { SpokenValue } from '@parlance/spoken-values';

/** The question that waits for its answer. */
export interface OpenQuestion {
  readonly key: string;
  /** `confirm`: a value was read back. */
  readonly phase: 'ask' | 'confirm';
  readonly value?: SpokenValue;
  /** Words that held a part of the value, such as the day without the time. */
  readonly said?: string | undefined;
  /** The first name, while the last name is being spelled. */
  readonly firstName?: string | undefined;
  readonly tries: number;
  /** Questions of the person in the place of an answer. A misheard answer looks like one, again and again. */
  readonly asides?: readonly string[] | undefined;
  /** Answers to a read-back that were neither yes nor no. */
  readonly unclear?: number;
  /** What was misheard before: spelled letters have no gap between two names. */
  readonly rejected?: SpokenValue | undefined;
  /** Values that the person has denied. Recognition mishears the same words in the same way. */
  readonly denied?: readonly SpokenValue['value'][] | undefined;
}

export interface State {
  readonly values: ReadonlyMap<string, SpokenValue>;
  /** Values that were said before their question was asked; they are read back in its place. */
  readonly volunteered: ReadonlyMap<string, SpokenValue>;
  readonly skipped: ReadonlySet<string>;
  /** Required values that were misheard and skipped, with what was denied: they are asked for once more at the end. */
  readonly postponed: ReadonlyMap<string, Pick<OpenQuestion, 'rejected' | 'denied'>>;
  /** Values that were asked for once more. */
  readonly resumed: ReadonlySet<string>;
  readonly open: OpenQuestion | undefined;
  /** A tool that waits for arguments, and the words that were said for it. */
  readonly tool: { readonly name: string; readonly said: string } | undefined;
  /** Names of the tools that ran. */
  readonly ran: ReadonlySet<string>;
  /** Everything was asked, and the person was asked for further wishes. */
  readonly isSettled: boolean;
}

export const initialState: State = {
  values: new Map(),
  volunteered: new Map(),
  skipped: new Set(),
  postponed: new Map(),
  resumed: new Set(),
  open: undefined,
  tool: undefined,
  ran: new Set(),
  isSettled: false,
};

export type Act =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'lookUp'; readonly question: string }
  | { readonly type: 'tool'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** The person is not to be called again. */
  | { readonly type: 'optOut' }
  | { readonly type: 'end' };

export interface Step {
  readonly state: State;
  readonly acts: readonly Act[];
}
