/** Milliseconds. */
export interface TurnSettings {
  /** Silence after which a turn is over. */
  readonly endOfTurnMs: number;
  /** The same where a model is sure that the sentence is complete. */
  readonly finishedMs: number;
  /** The same where a model is sure that it is not. */
  readonly openMs: number;
  /** The same after "my number is", or between two groups of digits. */
  readonly unfinishedMs: number;
  /**
   * Voice over the agent's that pauses it. The detector reports windows of 32 ms. At 32 the agent pauses at the first of them and resumes
   * when the second is silent; from 64 on a voice of one window, such as a click, does not pause it.
   */
  readonly bargeInMs: number;
  /** Voice over the agent's that interrupts it, whatever the words will be. */
  readonly interruptMs: number;
  /** The agent goes on after a shorter voice when its words are not known within this time. */
  readonly undecidedMs: number;
  /** A "yes" in the last part of a sentence is an answer to it. */
  readonly answerWindowMs: number;
  /** Voice without words that counts as a turn which was not understood. A cough is shorter. */
  readonly wordlessMs: number;
  /** So many such turns in a row are answered; those that follow are a noise. */
  readonly mostWordless: number;
  /** Silence before the agent asks whether anybody is there, and before it hangs up. */
  readonly silencePromptMs: number;
  readonly silenceEndMs: number;
  /** Work on the caller's words, or on an answer, after which the agent asks for a moment. */
  readonly busyMs: number;
  /** The same where the caller has waited for `quietMs`: the recognition and the end of the turn took long already. */
  readonly leastBusyMs: number;
  readonly quietMs: number;
  /** An answer without a word is given up after this time. */
  readonly stuckMs: number;
  /** A voice counts as ended when no audio comes for this time: its microphone or its network is gone. */
  readonly withoutAudioMs: number;
  /** A sentence without a sound is given up after this time. */
  readonly soundlessMs: number;
}

export const defaultTurnSettings: Omit<TurnSettings, 'silencePromptMs' | 'silenceEndMs'> = {
  endOfTurnMs: 350,
  finishedMs: 250,
  openMs: 900,
  unfinishedMs: 1_300,
  bargeInMs: 32,
  interruptMs: 1_500,
  undecidedMs: 700,
  answerWindowMs: 1_000,
  wordlessMs: 500,
  mostWordless: 4,
  busyMs: 1_100,
  leastBusyMs: 700,
  quietMs: 1_600,
  stuckMs: 10_000,
  withoutAudioMs: 3_000,
  soundlessMs: 20_000,
};
