// A cache of transcripts on disk, keyed by models, audio and options: a change of the dialogue is measured without running recognition
// again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SpeechServer, transcribe } from '../setting/speech.js';

export interface RecognitionOptions {
  readonly language: string;
  readonly prompt: string | undefined;
}

/** The models of the local service and their digests; of another server, its address. */
const modelsOf = async ({ url }: SpeechServer): Promise<string> => {
  const response = await fetch(new URL('/health', url)).catch(() => undefined);
  return response?.ok === true ? response.text() : url;
};

export class Recognitions {
  readonly #speech: SpeechServer;
  readonly #folder: string;
  readonly #models: string;

  private constructor(speech: SpeechServer, folder: string, models: string) {
    this.#speech = speech;
    this.#folder = folder;
    this.#models = models;
  }

  static async open(speech: SpeechServer, folder: string): Promise<Recognitions> {
    mkdirSync(folder, { recursive: true });
    return new Recognitions(speech, folder, await modelsOf(speech));
  }

  /** @param isReused a recognition of the same sound with the same models and options is taken as it was */
  async wordsIn(
    wav: Uint8Array<ArrayBuffer>,
    options: RecognitionOptions,
    isReused: boolean,
  ): Promise<string> {
    const { language, prompt = '' } = options;
    const key = createHash('sha256')
      .update(wav)
      .update(JSON.stringify([this.#models, language, prompt]));
    const file = join(this.#folder, `${key.digest('hex')}.txt`);
    if (isReused && existsSync(file)) return readFileSync(file, 'utf8');
    const words = await transcribe(this.#speech, wav, options);
    writeFileSync(file, words);
    return words;
  }
}
