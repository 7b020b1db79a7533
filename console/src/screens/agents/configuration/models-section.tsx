// Models and the voice, with the prices and latencies that the catalog tells.
import type { VoiceCatalog } from '@parlance/client';
import { useWatch } from 'react-hook-form';
import { ComboField } from '../../../forms/combo-field.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { moneyText } from '../../../strings/format.js';
import { estimateOf, offersLanguage } from './estimate.js';
import { localSpeechOf } from './local-speech.js';
import { fallbacksText, modelChoices } from './model-choices.js';
import { Section } from './sections.js';
import { VoiceField } from './voice-field.js';

type Model = VoiceCatalog['llmModels'][number];

const ModelField = ({
  name,
  models,
  chosen,
  catalog,
}: {
  readonly name: 'sttModel' | 'llmModel' | 'ttsModel';
  readonly models: readonly Model[];
  readonly chosen: string | undefined;
  readonly catalog: VoiceCatalog;
}) => (
  <ComboField
    name={name}
    label={strings.setting[name]}
    hint={fallbacksText(catalog[`${name}s`], chosen)}
    choices={modelChoices(models, catalog)}
  />
);

/** Whether vendors' keys are set is not known here, so it says what happens without them. */
const LocalSpeechNote = ({
  languages,
  language,
}: {
  readonly languages: VoiceCatalog['languages'];
  readonly language: string | undefined;
}) => {
  const spoken = language === undefined ? 'natural' : localSpeechOf(language);
  if (spoken === 'natural') return null;
  const name = languages.find(({ code }) => code === language)?.name ?? language ?? '';
  return <p className="text-ink-soft">{strings.localSpeech[spoken](name)}</p>;
};

export const ModelsSection = ({ catalog }: { readonly catalog: VoiceCatalog }) => {
  const [stt, llm, tts, voiceId, language] = useWatch({
    name: ['sttModel', 'llmModel', 'ttsModel', 'voiceId', 'agent_language'],
  }) as readonly string[]; // fields of texts
  const { currency, sttModels, llmModels, ttsModels } = catalog;
  const estimate = estimateOf(catalog, [stt, llm, tts]);
  // The choice stays in the list, also where it no longer fits: the form says so when it is sent.
  const speaking = (models: readonly Model[], chosen: string | undefined): readonly Model[] =>
    models.filter(({ id, languages }) => id === chosen || offersLanguage(languages, language));
  return (
    <Section id="models" title={strings.models}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ModelField name="sttModel" models={speaking(sttModels, stt)} chosen={stt} catalog={catalog} />
        <ModelField name="llmModel" models={llmModels} chosen={llm} catalog={catalog} />
        <ModelField name="ttsModel" models={speaking(ttsModels, tts)} chosen={tts} catalog={catalog} />
        <VoiceField catalog={catalog} ttsModel={tts} voiceId={voiceId} language={language} />
      </div>
      <LocalSpeechNote languages={catalog.languages} language={language} />
      <p className="text-ink-soft">
        {estimate === undefined
          ? strings.noEstimate
          : strings.estimate(
              moneyText(estimate.costMicrosPerMinute, currency),
              strings.latency(estimate.latencyMs),
            )}
      </p>
    </Section>
  );
};
