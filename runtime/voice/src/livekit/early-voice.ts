// A voice over the agent's is looked for twice as often as the detector does by itself.
import { type VAD, VADEventType, type VADStream } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { Frames } from '../speech/frames.js';

/** A window of Silero at 16 kHz. */
const windowSamples = 512;
export const windowMs = 32;

/** Cuts audio into windows for the detector, which cuts by itself up to 10 ms late. */
export class Windows {
  readonly #frames: Frames;

  /** @param silence samples before the audio */
  constructor(silence = 0) {
    this.#frames = new Frames(windowSamples, silence);
  }

  cut({ data, sampleRate, channels }: AudioFrame): AudioFrame[] {
    return this.#frames
      .cut(data)
      .map((samples) => new AudioFrame(samples, sampleRate, channels, windowSamples));
  }
}

/** The probability of a voice in windows that end halfway between those of `Windows`. */
export class EarlyVoice {
  readonly #stream: VADStream;
  readonly #windows = new Windows(windowSamples / 2);
  #isLooking = false;
  #isClosed = false;

  constructor(vad: VAD, onWindow: (probability: number) => void) {
    this.#stream = vad.stream();
    this.#follow(onWindow).catch(() => undefined);
  }

  /** @param isWanted false where no voice needs to be found early, which saves the processor */
  hear(frame: AudioFrame, isWanted: boolean): void {
    if (this.#isClosed) return;
    const windows = this.#windows.cut(frame);
    // The detector remembers: the caller's turn says nothing about the agent's next one.
    if (this.#isLooking && !isWanted) this.#stream.flush();
    this.#isLooking = isWanted;
    if (isWanted) for (const window of windows) this.#stream.pushFrame(window);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream.close();
  }

  async #follow(onWindow: (probability: number) => void): Promise<void> {
    try {
      for await (const event of this.#stream)
        if (event.type === VADEventType.INFERENCE_DONE) onWindow(event.probability);
    } finally {
      // A detector that failed takes no frames, and the voices are found without it, a little later.
      this.#isClosed = true;
    }
  }
}
