// Consent to a recording, by the spoken word: asked before the conversation begins, and never taken from silence or a noise.
import type { ConversationEvent, HandOver } from '@parlance/conversation';
import { asksNotToBeCalled, yesOrNo } from '@parlance/spoken-values';
import type { Phrases } from './phrases.js';
import type { ConversationPort } from './ports.js';

export type ConsentFact = NonNullable<HandOver['consent']>;

export interface ConsentOptions {
  readonly conversation: ConversationPort;
  readonly language: string;
  readonly phrases: Phrases;
  /** The agent's own question. */
  readonly question: string | undefined;
  /** The recording begins. */
  readonly onAgreed: () => void;
  readonly now?: () => Date;
}

const mostQuestions = 2;
/** A longer answer says something besides. */
const mostWords = 4;
const wordsIn = (text: string): number => text.trim().split(/\s+/).length;
const listening = /^(?:uh-?huh|mm+-?hm*|mhm+|hm+|mm+)\W*$/iu;

/** The agent's conversation, behind the question for consent. */
export class ConsentFirst implements ConversationPort {
  readonly #options: ConsentOptions;
  #fact: ConsentFact = { type: 'verbal', granted: null, at: null, textVersion: null };
  #questions = 1;
  /** The conversation has begun. */
  #isOpen = false;
  /** Words of the runtime before those of the conversation, in one utterance. */
  #before = '';

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** `granted` is null until the question is answered. */
  get fact(): ConsentFact {
    return this.#fact;
  }

  /** No model asks for consent. */
  get model(): string | null {
    return this.#isOpen ? this.#options.conversation.model : null;
  }

  get isOver(): boolean {
    return this.#options.conversation.isOver;
  }

  opening(): string {
    const { question, phrases } = this.#options;
    return question ?? phrases.mayRecord;
  }

  async *answer(
    text: string,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ConversationEvent> {
    const { conversation, phrases } = this.#options;
    this.#before = '';
    if (this.#isOpen) {
      yield* conversation.answer(text, { signal });
      return;
    }
    const isOptOut = asksNotToBeCalled(text);
    const answer = isOptOut ? 'no' : this.#read(text);
    if (answer === undefined && this.#questions < mostQuestions) {
      this.#questions += 1;
      yield { type: 'say', delta: phrases.mayRecordYesOrNo };
      return;
    }
    if (answer !== undefined) this.#settle(answer === 'yes');
    this.#isOpen = true;
    this.#before = answer === 'yes' ? phrases.recordingBegins : phrases.noRecording;
    const first = await conversation.opening();
    const isMore = isOptOut || answer === undefined || wordsIn(text) > mostWords;
    if (!isMore) {
      yield { type: 'say', delta: first === '' ? this.#before : `${this.#before} ${first}` };
      return;
    }
    // The person has begun already: the first message is not spoken any more.
    conversation.heard({ spokenText: '', interrupted: true });
    yield { type: 'say', delta: `${this.#before} ` };
    yield* conversation.answer(text, { signal });
  }

  heard({ spokenText, interrupted }: { readonly spokenText: string; readonly interrupted: boolean }): void {
    if (!this.#isOpen) return;
    const isPrefixed = spokenText.startsWith(this.#before);
    const own = isPrefixed ? spokenText.slice(this.#before.length).trimStart() : '';
    this.#options.conversation.heard({ spokenText: this.#before === '' ? spokenText : own, interrupted });
  }

  /** A "yes" is one by itself: "I would like to" is none. */
  #read(text: string): 'yes' | 'no' | undefined {
    const { language } = this.#options;
    const answer = yesOrNo(text, language);
    if (answer !== 'yes') return answer;
    const [first = ''] = text.trim().split(/[.,;:!?]/u, 1);
    if (listening.test(first) || wordsIn(first) > mostWords) return undefined;
    return yesOrNo(first, language);
  }

  #settle(granted: boolean): void {
    const at = (this.#options.now?.() ?? new Date()).toISOString();
    this.#fact = { ...this.#fact, granted, at };
    if (granted) this.#options.onAgreed();
  }
}
