// The analysis by a language model. Its answer is checked against the transcript: a value or a score counts only with a quote
// from a turn that exists. Whatever goes wrong, the analysis by rules stands.
import type { Logger } from '@parlance/observability';
import { successOf } from '../rules/analyze.js';
import type { Analysis, Subject } from '../subject.js';
import { instructions, transcriptFor } from './prompt.js';
import { readAnswer } from './read-answer.js';

export interface ModelRequest {
  readonly organizationId: string;
  /** The `llmModel` of the agent's configuration. */
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  readonly text: string;
  /** The model that answered, which may be a fall-back. */
  readonly model: string;
}

/** Undefined where no endpoint is configured for the model. May throw. */
export type AskModel = (request: ModelRequest) => Promise<ModelAnswer | undefined>;

export interface ModelAnalystOptions {
  readonly ask: AskModel;
  readonly logger: Pick<Logger, 'warn'>;
  readonly timeoutMs?: number;
}

export class ModelAnalyst {
  readonly #options: ModelAnalystOptions;

  constructor(options: ModelAnalystOptions) {
    this.#options = options;
  }

  /** Undefined where no model is configured, or its answer is of no use. Never throws. */
  async analyze(
    subject: Subject,
    { organizationId, model }: Pick<ModelRequest, 'organizationId' | 'model'>,
    byRules: Analysis,
  ): Promise<{ readonly analysis: Analysis; readonly model: string } | undefined> {
    const { ask, logger, timeoutMs = 30_000 } = this.#options;
    if (!subject.turns.some(({ role }) => role === 'user')) return undefined;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const request = {
        organizationId,
        model,
        system: instructions(subject),
        user: transcriptFor(subject),
        signal,
      };
      const answer = await Promise.race([ask(request), aborted(signal)]);
      if (answer === undefined) return undefined;
      const read = readAnswer(answer.text, subject, byRules);
      const successful = successOf(subject, read.dataCollected, read.evaluation);
      return { model: answer.model, analysis: { ...read, successful: read.successful ?? successful } };
    } catch (err) {
      logger.warn({ err, model }, 'call analysis by model failed, rules used');
      return undefined;
    }
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the language model did not answer in time')), {
      once: true,
    });
  });
