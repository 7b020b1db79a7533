// What one call hears, speaks and keeps with: its providers, and the sentences that are made before they are said.
import type { CallContext, RuntimeConfig } from '@parlance/contracts';
import type { Conversation } from '@parlance/conversation';
import type { ModelEgress, ModelsFile, OrganizationModels } from '@parlance/models';
import type { Settings } from '../settings.js';
import { endOfTurnAt } from '../speech/end-of-turn-model.js';
import { keepingPhrases } from '../speech/kept-phrases.js';
import type { PhraseBook } from '../speech/phrase-book.js';
import { PhraseCache } from '../speech/phrase-cache.js';
import { counted, Recognition, Speech } from '../speech/providers.js';
import type { CallReport } from '../turns/call-report.js';
import { logEvent } from '../turns/log.js';
import { phrasesOf } from '../turns/phrases.js';
import { recognizersFor, synthesizersFor } from './providers/index.js';

export interface Call {
  readonly context: CallContext;
  readonly found: RuntimeConfig;
}

/** The models that this call reaches, and the way to them. */
export interface Reach {
  readonly file: ModelsFile;
  readonly organization: OrganizationModels | undefined;
  readonly egress: ModelEgress;
}

export const partsOf = (
  { context, found }: Call,
  settings: Settings,
  { reach, report, book }: { reach: Reach; report: CallReport; book: PhraseBook },
) => {
  const cache = new PhraseCache({ folder: settings.phrasesFolder, maxBytes: settings.phrasesBytes });
  const options = {
    config: found.config,
    voiceId: context.voiceId ?? found.config.voiceId,
    language: context.language ?? found.config.agent_language,
    environment: settings.environment,
    ...reach,
    speech: settings.speech,
  };
  const recognizers = recognizersFor(options);
  const synthesizers = synthesizersFor(options).map((synthesizer) =>
    keepingPhrases(
      counted(synthesizer, ({ provider, model }, characters) =>
        report.use({ kind: 'tts', quantity: characters, unit: 'character', provider, model }),
      ),
      { book, cache, onFailure: (error) => logEvent('phrase not kept', { error: String(error) }) },
    ),
  );
  const onFailure: NonNullable<ConstructorParameters<typeof Speech>[0]['onFailure']> = (failed, error) => {
    logEvent('provider failed', { provider: failed.provider, model: failed.model, error: String(error) });
    report.metric('fallback', 0);
  };
  return {
    recognition: recognizers.length === 0 ? undefined : new Recognition({ recognizers, onFailure }),
    speech:
      synthesizers.length === 0
        ? undefined
        : new Speech({
            synthesizers,
            onFailure,
            onSpoken: ({ model }, fallback) => report.spoke({ model, fallback }),
          }),
    endOfTurn: settings.speech && endOfTurnAt(settings.speech),
  };
};

interface Opening {
  readonly announcement: string;
  readonly first: string;
  /** False for a first message with a value of this call. */
  readonly isShared: boolean;
}

/** Puts the sentences of a call into its book. @returns those that can be made before they are said, in that order */
export const phrasesInto = (
  book: PhraseBook,
  { announcement, first, isShared }: Opening,
  agent: Conversation,
) => {
  const greeting = [
    ...book.add({ text: announcement, isShared: true }),
    ...book.add({ text: first, isShared }),
  ];
  const ofConversation = agent.expected().flatMap((sentence) => book.add(sentence));
  const ofRuntime = Object.values(phrasesOf(agent.language)).flatMap((text: string) =>
    book.add({ text, isShared: true }),
  );
  return { greeting, expected: [...new Set([...ofConversation, ...ofRuntime])] };
};
