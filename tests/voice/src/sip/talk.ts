// One call of a measurement: a caller with a voice, who asks, listens and interrupts.

import type { FinishedCall } from '../setting/platform.js';
import { telephoneRate } from '../sound/audio.js';
import type { Voices } from '../sound/recorded.js';
import type { SipStage } from './stage.js';
import { now, type Sent, type Telephone } from './telephone.js';

/** After the agent's last sound: longer than its pauses between two sentences. */
export const finishedMs = 900;

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Voices of English callers: of men and women, from Britain and America. None of them is the agent's. */
export const englishVoices = ['nova', 'onyx', 'fable', 'am_michael'] as const;
export const germanVoices = ['espeak:de', 'espeak:de+f2'] as const;

export class Talk {
  readonly telephone: Telephone;
  readonly said: string[] = [];
  readonly #record: () => Promise<FinishedCall>;
  readonly #voices: Voices;
  readonly #voice: string;

  private constructor(
    { telephone, record }: Awaited<ReturnType<SipStage['call']>>,
    voices: Voices,
    voice: string,
  ) {
    this.telephone = telephone;
    this.#record = record;
    this.#voices = voices;
    this.#voice = voice;
  }

  static async begin(
    stage: SipStage,
    voices: Voices,
    { to, voice }: { readonly to: string; readonly voice: string },
  ): Promise<Talk> {
    return new Talk(await stage.call(to), voices, voice);
  }

  /** From the answer to the agent's first sound; undefined where it says nothing. */
  async greeting(): Promise<number | undefined> {
    const { answeredAt } = this.telephone;
    const at = await this.telephone.soundAfter(answeredAt);
    return at === undefined ? undefined : at - answeredAt;
  }

  listened(): Promise<void> {
    return this.telephone.silent(finishedMs);
  }

  async say(text: string, voice = this.#voice): Promise<Sent> {
    this.said.push(text);
    return this.telephone.speak(await this.#voices.say(text, voice, telephoneRate));
  }

  /** @returns from the end of the question to the first sound of its answer, and whether the agent spoke over the question */
  async ask(
    text: string,
  ): Promise<{ readonly responseMs: number | undefined; readonly isOverlapped: boolean }> {
    const { startedAt, endedAt } = await this.say(text);
    const at = await this.telephone.soundAfter(endedAt);
    return {
      responseMs: at === undefined ? undefined : at - endedAt,
      isOverlapped: this.telephone.sounds.audibleMs(startedAt, endedAt) > 0,
    };
  }

  /** From the first packet of the caller's voice to the agent's last sound; undefined where the agent is silent already. */
  async interrupt(
    text: string,
  ): Promise<{ readonly silentAfterMs: number; readonly endedAt: number } | undefined> {
    if (!this.telephone.isSpeaking()) return undefined;
    const { startedAt, endedAt } = await this.say(text);
    return {
      silentAfterMs: Math.max(0, this.telephone.sounds.quietFrom(startedAt) - startedAt),
      endedAt,
    };
  }

  /** Hangs up. @returns what the runtime has handed over */
  async finish(): Promise<FinishedCall> {
    await this.telephone.hangUp();
    return this.#record();
  }

  /** Milliseconds since the answer. */
  get talkedMs(): number {
    return now() - this.telephone.answeredAt;
  }
}
