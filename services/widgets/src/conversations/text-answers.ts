// Answers a message. The runtime is asked, its words go on to the visitor as they come, and its turns are written down.
import type { contract, EndedReason, StreamEvent, TranscriptTurn } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';
import {
  type AskedMessage,
  addTurns,
  type Claim,
  type ClaimOptions,
  claimAnswer,
  renewClaim,
  settleAnswer,
} from './claims.js';
import { showTurns } from './show-turns.js';
import type { AnswerPart, TextRuntime } from './text-runtime.js';
import type { NewTurn } from './turns-of-sessions.js';

/** An event of an answer. Turns of tools are for those who try an agent, and never for visitors of a website. */
export type AnswerEvent = StreamEvent<(typeof contract)['agentsSendPreviewMessage']>;

const renewEveryMs = 3_000;
/** The most turns of one answer, tools and words together. */
const maxTurnsOfAnswer = 20;

/** Keeps the claim of an answer, and aborts its signal when the claim is lost. */
const keepClaim = (
  { db, logger }: Pick<Host, 'db' | 'logger'>,
  claim: Claim,
): { readonly lost: AbortSignal; stop(): void } => {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      if (!(await renewClaim(db, claim))) lost.abort(new AppError('SESSION_ENDED'));
    } catch (err) {
      // While Postgres is away the claim runs out by itself, and adding a turn fails then.
      logger.warn({ err, sessionId: claim.id }, 'the claim of an answer was not renewed');
    }
  };
  const timer = setInterval(() => void renew(), renewEveryMs);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
};

export interface TextAnswersOptions extends ClaimOptions {
  readonly host: Pick<Host, 'db' | 'rpc' | 'callerFor' | 'clock' | 'ids' | 'logger'>;
  /** Undefined where no runtime answers text. */
  readonly textRuntime: TextRuntime | undefined;
}

/** One answer, from the first words to the last turn. */
class Answer {
  readonly #options: TextAnswersOptions;
  readonly #claim: Claim;
  readonly #askedMs: number;
  #words = '';
  #firstMs: number | undefined;
  #last: NewTurn | undefined;
  #endedReason: EndedReason | undefined;
  #turns = 0;

  constructor(options: TextAnswersOptions, claim: Claim) {
    this.#options = options;
    this.#claim = claim;
    this.#askedMs = this.#nowMs();
  }

  /** The event of this part; none for the turn of the agent, which ends the answer. @throws AppError RUNTIME_ERROR, SESSION_ENDED */
  async take(part: AnswerPart): Promise<AnswerEvent | undefined> {
    if (this.#endedReason !== undefined) throw this.#wrong('nothing comes after the end');
    switch (part.kind) {
      case 'text':
        if (this.#last !== undefined) throw this.#wrong('no words come after the turn of the agent');
        this.#firstMs ??= this.#nowMs();
        this.#words += part.delta;
        return { event: 'text', data: { delta: part.delta } };
      case 'turn':
        return this.#takeTurn(part.turn);
      case 'end':
        this.#endedReason = part.reason;
        return undefined;
      default:
        return part satisfies never;
    }
  }

  /** Writes the turn of the agent down. @throws AppError RUNTIME_ERROR without one, SESSION_ENDED */
  async finish(): Promise<TranscriptTurn> {
    if (this.#last === undefined) throw this.#wrong('the answer has no turn of the agent');
    const turn = await this.#settle(this.#last, this.#endedReason);
    if (turn === undefined) throw new AppError('SESSION_ENDED');
    this.#last = undefined;
    this.#words = '';
    return turn;
  }

  /** Records the part of a broken answer that the visitor has read, and lets the next message in. */
  async breakOff(): Promise<void> {
    const spoken = this.#words === '' ? undefined : this.#timed({ role: 'agent', text: this.#words });
    await this.#settle(spoken && { ...spoken, interrupted: true }, undefined);
  }

  async #takeTurn(turn: Extract<AnswerPart, { kind: 'turn' }>['turn']): Promise<AnswerEvent | undefined> {
    this.#turns += 1;
    if (this.#last !== undefined) throw this.#wrong('the turn of the agent is the last one');
    if (this.#turns > maxTurnsOfAnswer) throw this.#wrong('the answer has too many turns');
    if (turn.role === 'agent') {
      this.#last = this.#timed(turn);
      return undefined;
    }
    const endMs = this.#nowMs();
    const startMs = Math.max(0, endMs - (turn.toolCall?.durationMs ?? 0));
    const added = { ...turn, startMs, endMs, createdAt: this.#now().toISOString() };
    const { host, sessionTurns } = this.#options;
    const {
      said: [ran],
      recorded,
    } = await addTurns(host.db, sessionTurns, this.#claim, [added]);
    if (ran === undefined) return undefined;
    showTurns(host, this.#claim.context, recorded);
    return { event: 'tool', data: { turn: ran } };
  }

  async #settle(
    turn: NewTurn | undefined,
    endedReason: EndedReason | undefined,
  ): Promise<TranscriptTurn | undefined> {
    const { host, sessionTurns } = this.#options;
    const added = await settleAnswer(host.db, sessionTurns, this.#claim, { turn, endedReason });
    showTurns(host, this.#claim.context, added?.recorded ?? []);
    return added?.said[0];
  }

  #timed<T extends { readonly role: 'agent' | 'tool'; readonly text: string }>(turn: T): T & NewTurn {
    const endMs = this.#nowMs();
    const startMs = this.#firstMs ?? endMs;
    const latencyMs = Math.max(0, startMs - this.#askedMs);
    return { ...turn, startMs, endMs, latencyMs, createdAt: this.#now().toISOString() };
  }

  #now(): Date {
    return this.#options.host.clock.now();
  }

  /** Milliseconds since the conversation began. */
  #nowMs(): number {
    return Math.max(0, this.#now().getTime() - this.#claim.openedAt.getTime());
  }

  #wrong(what: string): AppError {
    return new AppError('RUNTIME_ERROR', { cause: new Error(what) });
  }
}

export class TextAnswers {
  readonly #options: TextAnswersOptions;

  constructor(options: TextAnswersOptions) {
    this.#options = options;
  }

  /**
   * Takes a message, and answers it when the stream is read.
   * @throws AppError as the claim of an answer does; TEXT_RUNTIME_NOT_CONFIGURED
   */
  async answer(
    asked: Omit<AskedMessage, 'answerId' | 'now'>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AnswerEvent>> {
    const { host, textRuntime } = this.#options;
    if (textRuntime === undefined)
      throw new AppError('widgetId' in asked.place ? 'MODE_NOT_OFFERED' : 'TEXT_RUNTIME_NOT_CONFIGURED');
    const message = { ...asked, answerId: host.ids.next(), now: host.clock.now() };
    const claim = await claimAnswer(host.db, this.#options, message);
    showTurns(host, claim.context, claim.recorded);
    return this.#events(textRuntime, claim, signal);
  }

  async *#events(runtime: TextRuntime, claim: Claim, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const { host } = this.#options;
    const answer = new Answer(this.#options, claim);
    const kept = keepClaim(host, claim);
    const stop = AbortSignal.any([signal, kept.lost]);
    let isWhole = false;
    try {
      for await (const part of runtime.ask(claim, stop)) {
        const event = await answer.take(part);
        if (event !== undefined) yield event;
      }
      const turn = await answer.finish();
      isWhole = true;
      yield { event: 'done', data: { turn } };
    } catch (error) {
      if (kept.lost.aborted) throw kept.lost.reason;
      throw error;
    } finally {
      kept.stop();
      if (!isWhole)
        await answer.breakOff().catch((err: unknown) => {
          host.logger.warn({ err, sessionId: claim.id }, 'an answer that broke off was not written down');
        });
    }
  }
}
