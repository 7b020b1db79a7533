// What the model answers: answers in a row, a rule, obedience, and otherwise an echo.
import type { Answer, ScriptedAnswer } from './answer.js';
import { type ChatBody, textOf } from './chat-request.js';
import { obeyed } from './obedience.js';

/** Undefined leaves the answer to what comes next. */
export type Rule = (request: ChatBody) => Answer | undefined;

export class ChatScript {
  readonly #queue: Answer[] = [];
  /** Asked when no answer is queued. */
  rule: Rule | undefined;
  /** Does what the last instruction in the request tells it, whoever wrote it. */
  isObedient = false;

  /** The answers to the next requests. */
  push(...answers: readonly Answer[]): void {
    this.#queue.push(...answers);
  }

  /** Forgets answers, rule and obedience. */
  clear(): void {
    this.#queue.length = 0;
    this.rule = undefined;
    this.isObedient = false;
  }

  answerTo(request: ChatBody): ScriptedAnswer {
    const answer =
      this.#queue.shift() ??
      this.rule?.(request) ??
      (this.isObedient ? obeyed(request) : undefined) ??
      `You said: ${textOf(request.messages.findLast(({ role }) => role === 'user') ?? { role: 'user', content: '' })}`;
    return typeof answer === 'string' ? { text: answer } : answer;
  }
}
